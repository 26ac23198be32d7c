import { formatMoney } from '../../../common/money.js';
import { Ago } from '../components/ago.js';
import { StateChip } from '../components/state-chip.js';
import { VerbButton } from '../components/verb-button.js';
import { shortId } from '../data/format.js';
import type { Dossier } from './order-page.js';

export function Refunds({ refunds }: Pick<Dossier, 'refunds'>) {
  if (refunds.length === 0) return null;
  return (
    <section className="card table-card" aria-label="Refunds">
      <h2 className="table-title">Refunds</h2>
      <table className="table">
        <thead>
          <tr>
            <th>Refund</th>
            <th>State</th>
            <th className="right">Amount</th>
            <th>Reason</th>
            <th>Created</th>
          </tr>
        </thead>
        <tbody>
          {refunds.map(({ id, state, amount, currency, reason, failure, attempt, createdAt }) => (
            <tr key={id}>
              <td className="wide">
                <code>{shortId(id)}</code>
              </td>
              <td data-label="State">
                <StateChip state={state} />
                {failure !== null && <div className="quiet small">{failure}</div>}
                {attempt > 1 && <div className="quiet small">attempt {attempt}</div>}
              </td>
              <td data-label="Amount" className="right number">
                {formatMoney(amount, currency)}
              </td>
              <td data-label="Reason">{reason}</td>
              <td data-label="Created">
                <Ago at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What the provider sent us about the order, and what we sent to others. */
export function Deliveries({ dossier, reload }: { dossier: Dossier; reload: () => void }) {
  const { callbacks, deliveries } = dossier;
  if (callbacks.length === 0 && deliveries.length === 0) return null;
  const replay = { verb: 'replay', summary: '', effects: [] };
  return (
    <section className="card table-card" aria-label="Callbacks and deliveries">
      <h2 className="table-title">Callbacks and deliveries</h2>
      <table className="table">
        <thead>
          <tr>
            <th>Event</th>
            <th>From or to</th>
            <th>State</th>
            <th>When</th>
            <th>
              <span className="visually-hidden">Verbs</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {callbacks.map(({ id, type, state, attempts, error, receivedAt }) => (
            <tr key={id}>
              <td className="wide">{type}</td>
              <td data-label="From">provider</td>
              <td data-label="State">
                <StateChip state={state} />
                <Attempts count={attempts} error={error} />
              </td>
              <td data-label="When">
                <Ago at={receivedAt} />
              </td>
              <td className="right">
                {state === 'DEAD' && (
                  <VerbButton
                    subject={{ kind: 'callback', id, orderId: dossier.order.id }}
                    preview={{ ...replay, effects: [{ kind: 'ask' }] }}
                    onDone={reload}
                  />
                )}
              </td>
            </tr>
          ))}
          {deliveries.map(({ id, endpointId, url, type, state, attempts, lastError, createdAt }) => (
            <tr key={id}>
              <td className="wide">{type}</td>
              <td data-label="To">{url}</td>
              <td data-label="State">
                <StateChip state={state} />
                <Attempts count={attempts} error={lastError} />
              </td>
              <td data-label="When">
                <Ago at={createdAt} />
              </td>
              <td className="right">
                <VerbButton
                  subject={{ kind: 'delivery', id, endpointId, orderId: dossier.order.id }}
                  preview={{ ...replay, effects: [{ kind: 'send', what: type }] }}
                  onDone={reload}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Attempts({ count, error }: { count: number; error: string | null }) {
  return (
    <>
      {count > 1 && <div className="quiet small">{count} attempts</div>}
      {error !== null && <div className="quiet small">{error}</div>}
    </>
  );
}
