import { Loading } from '../components/loading.js';
import { formatCount, formatDuration } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

const EVERY_MS = 5_000;
const SHOWN = 20;

/** Who holds what, and who waits behind it. Most locks are over before anybody can read them. */
export function LockTable() {
  const client = useClient();
  const locks = useLoaded('locks', (signal) => client.listLocks({ signal }), EVERY_MS);
  return (
    <section className="card table-card" aria-label="Locks">
      <h2 className="table-title">Locks that are held</h2>
      <Loading of={locks}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet table-note">None at the moment.</p>
          ) : (
            <table className="table">
              <thead>
                <tr>
                  <th>Lock</th>
                  <th>Instance</th>
                  <th className="right">Held for</th>
                  <th className="right">Lease ends in</th>
                  <th className="right">Waiting</th>
                </tr>
              </thead>
              <tbody>
                {items.slice(0, SHOWN).map(({ key, owner, ageMs, ttlMs, waiters }) => (
                  <tr key={key}>
                    <td className="wide">
                      <code>{key}</code>
                    </td>
                    <td data-label="Instance">
                      <code>{owner}</code>
                    </td>
                    <td data-label="Held for" className="right number">
                      {formatDuration(ageMs)}
                    </td>
                    <td data-label="Lease ends in" className="right number">
                      {formatDuration(ttlMs)}
                    </td>
                    <td data-label="Waiting" className="right number">
                      {formatCount(waiters)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loading>
    </section>
  );
}
