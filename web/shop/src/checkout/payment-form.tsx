import { type SubmitEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { formatMoney } from '../../../common/money.js';
import { useObservable } from '../../../common/observable.js';
import type { Hold } from '../basket/basket-state.js';
import { buyerEmail } from '../orders/buyer-email.js';
import { useShop } from '../shop.js';
import { CardChoice } from './card-choice.js';
import { TEST_CARDS } from './test-cards.js';

const FIRST_CARD = TEST_CARDS[0]?.method ?? '';

interface PaymentFormProps {
  readonly hold: Hold;
  readonly refusal: string;
  readonly onSent: () => void;
  readonly onRefused: (error: unknown) => void;
}

export function PaymentForm({ hold, refusal, onSent, onRefused }: PaymentFormProps) {
  const { basket } = useShop();
  const [, navigate] = useLocation();
  const [method, setMethod] = useState(FIRST_CARD);
  const email = useObservable(buyerEmail);
  const isSending = hold.payment === 'sending';
  const pay = async (event: SubmitEvent) => {
    event.preventDefault();
    onSent();
    try {
      const order = await basket.payments.pay(hold, method, email.trim());
      if (order.nextAction?.type === 'redirect_to_url') location.assign(order.nextAction.url);
      else navigate(`/orders/${order.id}`, { replace: true }); // there is nothing to go back to
    } catch (error) {
      if (basket.state.hold?.payment === undefined) onRefused(error);
    }
  };
  return (
    <form className="card panel stack" onSubmit={pay} aria-busy={isSending}>
      {refusal !== '' && (
        <div className="notice bad" role="alert">
          <strong>{refusal}</strong>
          <span>Nothing was charged. Your things are still kept for you: try another card.</span>
        </div>
      )}
      <label className="field">
        <span>
          E-mail <span className="quiet">(optional, for the receipt)</span>
        </span>
        <input
          type="email"
          name="email"
          autoComplete="email"
          value={email}
          disabled={isSending}
          onChange={({ target }) => buyerEmail.set(target.value)}
        />
      </label>
      <CardChoice method={method} onChange={setMethod} />
      <button type="submit" className="button primary wide pay" disabled={isSending}>
        {isSending ? (
          <>
            <span className="spinner" /> Paying
          </>
        ) : (
          `Pay ${formatMoney(hold.total, hold.currency)}`
        )}
      </button>
      <p className="quiet small-print" role="status">
        {isSending
          ? 'You can reload this page or lose your connection: it stays one order.'
          : 'Test cards: no money moves.'}
      </p>
    </form>
  );
}
