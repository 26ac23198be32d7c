import { Link } from 'wouter';
import { Ago } from '../components/ago.js';
import { Loading } from '../components/loading.js';
import { StateChip } from '../components/state-chip.js';
import { formatCount, shortId } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

const SHOWN = 100;

/** What the run touches, and what came of each; asked for again when the run has moved. */
export function BulkItems({ id, version }: { id: string; version: string }) {
  const client = useClient();
  const items = useLoaded(id, (signal) => client.listBulkItems(id, { limit: SHOWN }, { signal }), 2_000);
  return (
    <section className="card table-card" aria-label="Items" data-version={version}>
      <h2 className="table-title">Items</h2>
      <Loading of={items}>
        {({ items: shown, nextCursor }) => (
          <>
            <table className="table">
              <thead>
                <tr>
                  <th>Subject</th>
                  <th>State</th>
                  <th>Result</th>
                  <th>When</th>
                </tr>
              </thead>
              <tbody>
                {shown.map(({ position, subject, orderId, state, result, at }) => (
                  <tr key={position}>
                    <td className="wide">
                      {orderId === null ? (
                        <code>{shortId(subject)}</code>
                      ) : (
                        <Link className="id" href={`/orders/${orderId}`}>
                          order {shortId(orderId)}
                        </Link>
                      )}
                    </td>
                    <td data-label="State">
                      <StateChip state={state} />
                    </td>
                    <td data-label="Result">{result ?? ''}</td>
                    <td data-label="When">{at === null ? '' : <Ago at={at} />}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {nextCursor !== null && <p className="quiet table-note">The first {formatCount(SHOWN)} are shown.</p>}
          </>
        )}
      </Loading>
    </section>
  );
}
