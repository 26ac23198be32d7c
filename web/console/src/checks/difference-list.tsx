import { Link } from 'wouter';
import { Loading } from '../components/loading.js';
import { shortId } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { SideBySide } from '../orders/comparison-panel.js';
import '../orders/order.css';
import { useClient } from '../session/session.js';

/** Orders on which the provider and we disagree, side by side. */
export function DifferenceList() {
  const client = useClient();
  const differences = useLoaded('differences', (signal) => client.listDifferences({ signal }));
  return (
    <section className="card panel" aria-label="Provider, payments and orders">
      <h2 className="panel-title">Provider, payments and orders</h2>
      <Loading of={differences}>
        {({ items, foreign, isTruncated }) => (
          <div className="stack">
            {items.length === 0 && foreign.length === 0 && (
              <p className="notice good">
                They agree wherever they were found to differ since the last complete check.
              </p>
            )}
            {items.map((comparison) => (
              <div key={comparison.orderId} className="difference">
                <Link className="id" href={`/orders/${comparison.orderId}`}>
                  order {shortId(comparison.orderId)}
                </Link>
                <SideBySide comparison={comparison} />
              </div>
            ))}
            {foreign.map(({ transactionId, problem }) => (
              <p key={transactionId} className="notice warn">
                <code>{transactionId}</code> {problem}
              </p>
            ))}
            {isTruncated && <p className="quiet">There are more than are shown.</p>}
          </div>
        )}
      </Loading>
    </section>
  );
}
