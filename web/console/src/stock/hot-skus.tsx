import { Link } from 'wouter';
import { Loading } from '../components/loading.js';
import { formatCount, formatDuration } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

const EVERY_MS = 5_000;

/** What sells now, and how long it will last. */
export function HotSkuBoard() {
  const client = useClient();
  const board = useLoaded('hot-skus', (signal) => client.listHotSkus({ signal }), EVERY_MS);
  return (
    <section className="card table-card" aria-label="What sells now">
      <h2 className="table-title">What sells now</h2>
      <Loading of={board}>
        {({ items, seconds }) =>
          items.length === 0 ? (
            <p className="quiet table-note">Nothing was ordered in the last {formatDuration(seconds * 1_000)}.</p>
          ) : (
            <table className="table">
              <thead>
                <tr>
                  <th>SKU</th>
                  <th className="right">Available</th>
                  <th className="right">Held</th>
                  <th className="right">Sold a minute</th>
                  <th className="right">Refused</th>
                  <th className="right">Lock wait p99</th>
                  <th>Sold out in</th>
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <tr key={item.sku}>
                    <td className="wide">
                      <Link className="id" href={`/stock/${encodeURIComponent(item.sku)}`}>
                        {item.sku}
                      </Link>{' '}
                      <span className="quiet small">{item.name}</span>
                    </td>
                    <td data-label="Available" className="right number">
                      {formatCount(item.available)}
                    </td>
                    <td data-label="Held" className="right number">
                      {formatCount(item.held)}
                    </td>
                    <td data-label="Sold a minute" className="right number">
                      {item.soldPerMinute.toFixed(1)}
                    </td>
                    <td data-label="Refused" className="right number">
                      {formatCount(item.refused)}
                    </td>
                    <td data-label="Lock wait p99" className="right number">
                      {item.lockWaitP99Ms === null ? '–' : formatDuration(item.lockWaitP99Ms)}
                    </td>
                    <td data-label="Sold out in">
                      <SellOut seconds={item.sellsOutInSeconds} />
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

const SOON_SECONDS = 600;

function SellOut({ seconds }: { seconds: number | null }) {
  if (seconds === null) return <span className="quiet">–</span>;
  if (seconds === 0) return <span className="chip bad">sold out</span>;
  const text = formatDuration(seconds * 1_000);
  return seconds < SOON_SECONDS ? <span className="chip warn">{text}</span> : <span className="number">{text}</span>;
}
