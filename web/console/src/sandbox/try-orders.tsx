import { isProblem } from '@checkout-saga/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { explain } from '../data/explain.js';
import { shortId } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

const CARDS = [
  ['pm_card_visa', 'pays'],
  ['pm_card_chargeDeclined', 'declines'],
  ['pm_card_authenticationRequired', 'asks its holder'],
  ['pm_sandbox_timeout_after_charge', 'charges, and never answers'],
  ['pm_sandbox_timeout_before_charge', 'never answers'],
  ['pm_sandbox_refund_fails', 'pays back at the third attempt'],
] as const;

/** The demo has halls full of seats, which come first by name. */
const MAX_SKUS = 500;

interface Tried {
  readonly orderId: string;
  readonly text: string;
}

/** An order at a click: its page shows what happens to it. */
export function TryOrders() {
  const client = useClient();
  const skus = useLoaded('skus', (signal) => client.listSkus({ limit: MAX_SKUS, available: 'true' }, { signal }));
  const [tried, setTried] = useState<readonly Tried[]>([]);
  const [problem, setProblem] = useState('');
  // What there is most of first: a seat is gone after the first try.
  const goods = (skus.value?.items ?? [])
    .filter((item) => item.available > 0)
    .sort((a, b) => b.available - a.available);
  const [sku, setSku] = useState('');
  const chosen = goods.find((each) => each.sku === sku) ?? goods[0];

  const buy = async (method: string, name: string) => {
    if (!chosen) return;
    setProblem('');
    const note = (orderId: string, text: string) => setTried((before) => [{ orderId, text }, ...before].slice(0, 8));
    try {
      const order = await client.checkOut(
        {
          currency: chosen.currency,
          lines: [{ sku: chosen.sku, quantity: 1 }],
          payment: { method },
          customer: { email: 'operator@example.com' },
        },
        { prefer: 'respond-async' },
      );
      note(order.id, name);
    } catch (error) {
      const orderId = isProblem(error) && 'orderId' in error.problem ? String(error.problem.orderId) : undefined;
      if (orderId === undefined) setProblem(explain(error));
      else note(orderId, name);
    }
  };

  return (
    <section className="card panel" aria-label="Try it">
      <h2 className="panel-title">Make an order</h2>
      <div className="try">
        <label className="field">
          <span>Buy one</span>
          <select value={chosen?.sku ?? ''} onChange={({ target }) => setSku(target.value)}>
            {goods.map(({ sku: id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <div className="page-tools" role="group" aria-label="With a card that">
          <span className="quiet">with a card that</span>
          {CARDS.map(([method, name]) => (
            <button
              key={method}
              type="button"
              className="button small"
              disabled={!chosen}
              onClick={() => void buy(method, name)}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      {problem !== '' && (
        <p className="notice bad" role="alert">
          {problem}
        </p>
      )}
      <ul className="tried" aria-live="polite">
        {tried.map(({ orderId, text }) => (
          <li key={orderId}>
            <Link className="id" href={`/orders/${orderId}`}>
              order {shortId(orderId)}
            </Link>{' '}
            <span className="quiet">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
