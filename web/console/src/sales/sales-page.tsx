import type { Schemas } from '@checkout-saga/client';
import { Link } from 'wouter';
import { useFilters } from '../components/filters.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { Pager } from '../components/pager.js';
import { StateChip } from '../components/state-chip.js';
import { countOf, formatCount, formatRate, formatTime } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

type Sale = Schemas['Sale'];

const EVERY_MS = 3_000;
const PAGE = 50;
/** What runs first, then what will, then what is over. */
const RANK: Readonly<Record<Sale['state'], number>> = { RUNNING: 0, PAUSED: 1, SCHEDULED: 2, SOLD_OUT: 3, ENDED: 4 };

/** Queues in front of goods that many want at once. */
export function SalesPage() {
  const client = useClient();
  const { cursor } = useFilters();
  const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
  const sales = useLoaded(`sales ${cursor ?? ''}`, (signal) => client.listSales(query, { signal }), EVERY_MS);
  return (
    <>
      <PageHead
        title="Flash sales"
        about="A queue in front of goods. Open one to change its rate, to pause it or to end it."
      />
      <Loading of={sales}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <div className="card empty">
              <strong>No sale was set up</strong>
              <span className="quiet">
                The demo’s begins in the shop, at “Tonight’s drop”; yours with <code>PUT /v1/sales/&#123;id&#125;</code>
                .
              </span>
            </div>
          ) : (
            <>
              <SaleTable sales={items.toSorted((a, b) => RANK[a.state] - RANK[b.state])} />
              <Pager shown={items.length} nextCursor={nextCursor} what="sales" />
            </>
          )
        }
      </Loading>
    </>
  );
}

function SaleTable({ sales }: { sales: readonly Sale[] }) {
  return (
    <div className="card table-card">
      <table className="table">
        <thead>
          <tr>
            <th>Sale</th>
            <th>State</th>
            <th>Of</th>
            <th className="right">Waiting</th>
            <th className="right">May buy</th>
            <th className="right">Bought</th>
            <th className="right">Rate</th>
            <th>Starts</th>
          </tr>
        </thead>
        <tbody>
          {sales.map(({ id, state, group, skus, tickets, admitPerSecond, startsAt }) => (
            <tr key={id}>
              <td className="wide">
                <Link className="id" href={`/sales/${encodeURIComponent(id)}`}>
                  {id}
                </Link>
              </td>
              <td data-label="State">
                <StateChip state={state} />
              </td>
              <td data-label="Of">{group ?? countOf(skus?.length ?? 0, 'SKU')}</td>
              <td data-label="Waiting" className="right number">
                {formatCount(tickets.waiting)}
              </td>
              <td data-label="May buy" className="right number">
                {formatCount(tickets.active)}
              </td>
              <td data-label="Bought" className="right number">
                {formatCount(tickets.bought)}
              </td>
              <td data-label="Rate" className="right number">
                {formatRate(admitPerSecond)} a second
              </td>
              <td data-label="Starts" className="nowrap">
                {formatTime(startsAt)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
