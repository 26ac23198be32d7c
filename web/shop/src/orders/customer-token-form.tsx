import { type SubmitEvent, useState } from 'react';
import { useObservable } from '../../../common/observable.js';
import { customerToken } from './customer-token.js';

/** Where customers have tokens of their own (JWT), theirs lists all of their orders. */
export function CustomerTokenForm() {
  const token = useObservable(customerToken);
  const [draft, setDraft] = useState('');
  if (token !== null) {
    return (
      <p className="notice">
        You see all orders of your customer’s token.
        <button type="button" className="link-button" onClick={() => customerToken.set(null)}>
          Sign out
        </button>
      </p>
    );
  }
  const signIn = (event: SubmitEvent) => {
    event.preventDefault();
    if (draft.trim() !== '') customerToken.set(draft.trim());
  };
  return (
    <form className="token-form" onSubmit={signIn}>
      <label className="field">
        <span>Customer’s token (JWT)</span>
        <input type="password" autoComplete="off" value={draft} onChange={({ target }) => setDraft(target.value)} />
      </label>
      <button type="submit" className="button">
        Show my orders
      </button>
    </form>
  );
}
