import type { Query, Schemas } from '@checkout-saga/client';
import { Link } from 'wouter';
import { formatMoney } from '../../../common/money.js';
import { Ago } from '../components/ago.js';
import { type FilterField, Filters, useFilters } from '../components/filters.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { Pager } from '../components/pager.js';
import { StateChip } from '../components/state-chip.js';
import { shortId, words } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

type Order = Schemas['Order'];

const FIELDS: readonly FilterField[] = [
  { name: 'state', label: 'State', options: ['PENDING', 'CONFIRMED', 'REJECTED', 'CANCELLED'] },
  { name: 'email', label: 'E-mail', type: 'email' },
  { name: 'sku', label: 'SKU' },
  { name: 'customerId', label: 'Customer' },
  { name: 'transactionId', label: 'Provider’s transaction' },
  { name: 'idempotencyKey', label: 'Idempotency-Key' },
  { name: 'createdFrom', label: 'From', type: 'datetime-local' },
  { name: 'createdTo', label: 'Until', type: 'datetime-local' },
];
const PAGE = 50;

/** Orders, newest first, with the filters in the address. */
export function OrdersPage() {
  const client = useClient();
  const given = useFilters(
    ...([
      'state',
      'email',
      'sku',
      'customerId',
      'transactionId',
      'idempotencyKey',
      'createdFrom',
      'createdTo',
    ] as const),
  );
  const query = toQuery(given);
  const orders = useLoaded(JSON.stringify(query), (signal) => client.listOrders(query, { signal }));
  const canBulk = Boolean(given.sku ?? given.email ?? given.customerId ?? given.createdFrom);
  return (
    <>
      <PageHead title="Orders" about="Newest first.">
        <button type="button" className="button small" onClick={orders.reload}>
          Refresh
        </button>
        {canBulk && (
          <Link className="button small" href={`/bulk/new?${bulkParams(given)}`}>
            Cancel or refund these …
          </Link>
        )}
      </PageHead>
      <Filters fields={FIELDS} />
      <Loading of={orders}>
        {({ items, nextCursor }) => (
          <>
            <OrderTable orders={items} hasMore={nextCursor !== null} />
            <Pager shown={items.length} nextCursor={nextCursor} what="orders" />
          </>
        )}
      </Loading>
    </>
  );
}

function OrderTable({ orders, hasMore }: { orders: readonly Order[]; hasMore: boolean }) {
  if (orders.length === 0 && !hasMore)
    return (
      <div className="card empty">
        <strong>No such orders</strong>
        <span className="quiet">Nothing fits these filters.</span>
      </div>
    );
  if (orders.length === 0) return null;
  return (
    <div className="card table-card">
      <table className="table brief">
        <thead>
          <tr>
            <th>Order</th>
            <th className="right">Total</th>
            <th>State</th>
            <th>Payment</th>
            <th>Goods</th>
            <th>Customer</th>
            <th>Created</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <OrderRow key={order.id} order={order} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OrderRow({ order }: { order: Order }) {
  const { id, state, lines, total, currency, payment, customer, createdAt, rejection } = order;
  return (
    <tr>
      <td className="begins">
        <Link className="id" href={`/orders/${id}`}>
          {shortId(id)}
        </Link>
      </td>
      <td data-label="Total" className="right number ends">
        {formatMoney(total, currency)}
      </td>
      <td data-label="State" className="begins">
        <StateChip state={state} />
        {rejection && <div className="quiet small">{words(rejection.code).toLowerCase()}</div>}
      </td>
      <td data-label="Payment" className="ends">
        {payment ? <StateChip state={payment.state} /> : <span className="quiet">none</span>}
      </td>
      <td data-label="Goods" className="whole">
        {lines.map(({ sku, quantity }) => `${quantity} × ${sku}`).join(', ')}
      </td>
      <td data-label="Customer" className="begins">
        {customer.email ?? customer.id ?? <span className="quiet">guest</span>}
      </td>
      <td data-label="Created" className="ends">
        <Ago at={createdAt} />
      </td>
    </tr>
  );
}

type Given = Partial<Record<string, string>>;

function toQuery({ createdFrom, createdTo, ...rest }: Given): Query<'listOrders'> {
  return {
    limit: PAGE,
    ...rest,
    ...(createdFrom && { createdFrom: new Date(createdFrom).toISOString() }),
    ...(createdTo && { createdTo: new Date(createdTo).toISOString() }),
  };
}

function bulkParams({ sku, email, customerId, createdFrom, createdTo }: Given): string {
  const filter = { sku, email, customerId, createdFrom, createdTo };
  const known = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []));
  return new URLSearchParams([['action', 'cancel-orders'], ...known]).toString();
}
