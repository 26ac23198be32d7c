import type { Query, Schemas } from '@checkout-saga/client';
import { Link } from 'wouter';
import { Ago } from '../components/ago.js';
import { type FilterField, Filters, useFilters } from '../components/filters.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { Pager } from '../components/pager.js';
import { StateChip } from '../components/state-chip.js';
import { countOf, shortId, words } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

type SagaSummary = Schemas['SagaSummary'];

const STATES = ['RUNNING', 'WAITING', 'COMPENSATING', 'STUCK', 'COMPLETED', 'COMPENSATED', 'RESOLVED'];
const FIELDS: readonly FilterField[] = [
  { name: 'state', label: 'State', options: STATES },
  { name: 'name', label: 'Saga', options: ['checkout', 'cancel-order', 'refund-order', 'repay-refund'] },
  { name: 'step', label: 'At step' },
  { name: 'code', label: 'Failed with' },
  { name: 'subject', label: 'Order' },
];
const PAGE = 50;
const BULK: ReadonlySet<string | undefined> = new Set(['STUCK', 'WAITING']);

export function SagasPage() {
  const client = useClient();
  const given = useFilters('state', 'name', 'step', 'code', 'subject');
  const query = { limit: PAGE, ...given } as Query<'listSagas'>;
  const sagas = useLoaded(JSON.stringify(query), (signal) => client.listSagas(query, { signal }));
  return (
    <>
      <PageHead title="Sagas" about="The durable progress of every checkout, refund and cancellation, newest first.">
        <button type="button" className="button small" onClick={sagas.reload}>
          Refresh
        </button>
        {BULK.has(given.state) && (
          <Link className="button small" href={`/bulk/new?${bulkParams(given)}`}>
            {given.state === 'STUCK' ? 'Retry these …' : 'Turn these back …'}
          </Link>
        )}
      </PageHead>
      <Filters fields={FIELDS} />
      <Loading of={sagas}>
        {({ items, nextCursor }) => (
          <>
            <SagaTable sagas={items} hasMore={nextCursor !== null} />
            <Pager shown={items.length} nextCursor={nextCursor} what="sagas" />
          </>
        )}
      </Loading>
    </>
  );
}

function SagaTable({ sagas, hasMore }: { sagas: readonly SagaSummary[]; hasMore: boolean }) {
  if (sagas.length === 0 && !hasMore)
    return (
      <div className="card empty">
        <strong>No such sagas</strong>
        <span className="quiet">Nothing fits these filters.</span>
      </div>
    );
  if (sagas.length === 0) return null;
  return (
    <div className="card table-card">
      <table className="table brief">
        <thead>
          <tr>
            <th>Saga</th>
            <th>State</th>
            <th>What</th>
            <th>Order</th>
            <th>Failure</th>
            <th>Driven by</th>
            <th>Changed</th>
          </tr>
        </thead>
        <tbody>
          {sagas.map(({ id, name, state, subject, failure, owner, attempts, updatedAt }) => (
            <tr key={id}>
              <td className="begins">
                <Link className="id" href={`/sagas/${id}`}>
                  {shortId(id)}
                </Link>
              </td>
              <td data-label="State" className="ends">
                <StateChip state={state} />
                {attempts > 0 && <div className="quiet small">{countOf(attempts, 'failed attempt')}</div>}
              </td>
              <td data-label="What" className="begins">
                {words(name)}
              </td>
              <td data-label="Order" className="ends">
                <Link className="id" href={`/orders/${subject}`}>
                  {shortId(subject)}
                </Link>
              </td>
              <td data-label="Failure" className="whole">
                {failure?.detail}
              </td>
              <td data-label="Driven by" className="begins">
                <code>{owner ?? ''}</code>
              </td>
              <td data-label="Changed" className="ends">
                <Ago at={updatedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function bulkParams({ state, name, step, code }: Partial<Record<string, string>>): string {
  const action = state === 'STUCK' ? 'retry-sagas' : 'compensate-sagas';
  const filter = { name, step, code, ...(state === 'WAITING' && { state }) };
  const known = Object.entries(filter).flatMap(([key, value]) => (value ? [[key, value] as [string, string]] : []));
  return new URLSearchParams([['action', action], ...known]).toString();
}
