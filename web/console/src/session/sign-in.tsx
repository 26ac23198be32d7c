import { isProblem } from '@checkout-saga/client';
import { useEffect, useState } from 'react';
import { markFirstView } from '../../../common/first-view.js';
import { ThemeToggle } from '../../../common/theme-toggle.js';
import { Logo } from '../layout/icons.js';
import { adminKey, createSession } from './session.js';
import './sign-in.css';

/** Asks for the admin's key, and tries it before it is kept. */
export function SignIn() {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState('');
  const [isTrying, setTrying] = useState(false);
  useEffect(() => {
    requestAnimationFrame(markFirstView);
  }, []);

  const submit = async () => {
    setTrying(true);
    setProblem('');
    try {
      await createSession(key.trim()).listBulkRuns({ limit: 1 }, { retryForMs: 0 });
      adminKey.set(key.trim());
    } catch (error) {
      setProblem(explain(error));
      setTrying(false);
    }
  };

  return (
    <main className="sign-in">
      <div className="sign-in-tools">
        <ThemeToggle />
      </div>
      <form
        className="card sign-in-card"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Logo />
        <h1>Operator’s console</h1>
        <p className="quiet">
          See what needs a person, look into any order, and act with the effects in view. <code>npm start</code> prints
          the admin’s key.
        </p>
        <label className="field">
          <span>Admin’s API key</span>
          <input
            type="password"
            name="key"
            value={key}
            onChange={({ target }) => setKey(target.value)}
            autoComplete="off"
            required
            autoFocus
            aria-invalid={problem !== ''}
            aria-describedby="sign-in-problem"
          />
        </label>
        <p id="sign-in-problem" className="field-problem" role="alert">
          {problem}
        </p>
        <button type="submit" className="button primary wide" disabled={isTrying || key.trim() === ''}>
          {isTrying ? 'Trying it …' : 'Open the console'}
        </button>
        <p className="quiet small">It stays in this tab and is forgotten when the tab is closed.</p>
      </form>
    </main>
  );
}

function explain(error: unknown): string {
  if (isProblem(error) && error.code === 'UNAUTHENTICATED') return 'The service does not know this key.';
  if (isProblem(error) && error.code === 'FORBIDDEN')
    return 'This is a storefront’s key. The console needs an admin’s.';
  return isProblem(error) ? error.problem.detail : 'The service does not answer. Try again shortly.';
}
