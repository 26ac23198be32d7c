import type pg from 'pg';
import type { Violation } from './checks.js';
import { ClientLedger, Command, Final } from './ledger.js';

interface OrderFact {
  readonly id: string;
  readonly state: string;
  readonly key: string;
  readonly rejection: { readonly code: string } | null;
}

/** The clients' book against ours: every answer that was given must be true at the end. */
export async function checkClients(client: pg.Client, ledger: ClientLedger): Promise<Violation[]> {
  const orders = await client.query<OrderFact>(`SELECT id, state, metadata->>'key' AS key, rejection FROM orders`);
  const refunds = await client.query<{ id: string; state: string }>('SELECT id, state FROM refunds');
  const holds = await client.query<{ id: string }>('SELECT id FROM reservations');
  const credited = await client.query<{ id: string }>(
    `SELECT DISTINCT refund_id AS id FROM account_entries WHERE refund_id IS NOT NULL`,
  );
  const entries = await client.query<{ reason: string }>(
    `SELECT reason FROM account_entries WHERE kind = 'ADJUSTMENT'`,
  );
  const moves = await client.query<{ reason: string }>(`SELECT reason FROM stock_movements WHERE kind = 'ADJUSTMENT'`);
  const books: Books = {
    ordersByKey: groupBy(orders.rows, (order) => order.key),
    ordersById: new Map(orders.rows.map((order) => [order.id, order])),
    refunds: new Map([
      ...credited.rows.map(({ id }) => [id, 'SETTLED'] as const),
      ...refunds.rows.map((refund) => [refund.id, refund.state] as const),
    ]),
    entries: groupBy(entries.rows, (entry) => entry.reason),
    holds: new Set(holds.rows.map((hold) => hold.id)),
    adjustments: groupBy(moves.rows, (move) => move.reason),
    cancelled: new Set(ledger.commands.flatMap(({ kind, orderId }) => (kind === 'cancel' && orderId ? [orderId] : []))),
  };
  return ledger.commands.flatMap((command) =>
    problemsOf(command, books).map((problem) => ({
      check: `client: ${command.kind}`,
      detail: {
        problem,
        key: command.key,
        orderId: command.orderId,
        finals: command.finals,
        troubles: command.troubles,
      },
    })),
  );
}

interface Books {
  readonly ordersByKey: ReadonlyMap<string, OrderFact[]>;
  readonly ordersById: ReadonlyMap<string, OrderFact>;
  readonly refunds: ReadonlyMap<string, string>;
  readonly holds: ReadonlySet<string>;
  readonly adjustments: ReadonlyMap<string, unknown[]>;
  readonly entries: ReadonlyMap<string, unknown[]>;
  readonly cancelled: ReadonlySet<string>;
}

function problemsOf(command: Command, books: Books): string[] {
  const [final, ...replays] = command.finals;
  if (!final) return ['never got a final answer'];
  const problems = replays.flatMap((replay) => (isSame(final, replay) ? [] : ['two answers under one key differ']));
  const problem = problemOf(command, final, books);
  return problem === undefined ? problems : [...problems, problem];
}

function isSame(a: Final, b: Final): boolean {
  return a.status === b.status && a.code === b.code && a.orderId === b.orderId && a.resourceId === b.resourceId;
}

function problemOf(command: Command, final: Final, books: Books): string | undefined {
  switch (command.kind) {
    case 'checkout':
      return problemOfCheckout(command, final, books);
    case 'hold':
      if (final.status === 201) return books.holds.has(final.resourceId ?? '') ? undefined : 'the hold does not exist';
      return HOLD_REFUSALS.has(final.code ?? '') ? undefined : unexplained(final);
    case 'adjustment':
      return problemOfChange(final, books.adjustments.get(command.key), 'STOCK_BELOW_RESERVED');
    case 'entry':
      return problemOfChange(final, books.entries.get(command.key), 'INSUFFICIENT_CREDIT');
    case 'cancel':
      return problemOfCancel(command, final, books);
    case 'refund':
      if (final.status === 201)
        return books.refunds.get(final.resourceId ?? '') === 'SETTLED' ? undefined : 'told 201, but not SETTLED';
      return final.code === 'REFUND_EXCEEDS_CAPTURED' ? undefined : unexplained(final);
  }
}

const HOLD_REFUSALS: ReadonlySet<string> = new Set([
  'OUT_OF_STOCK',
  'COUPON_EXHAUSTED',
  'COUPON_NOT_APPLICABLE',
  'LIMIT_EXCEEDED',
]);

function problemOfChange(final: Final, applied: readonly unknown[] = [], refusal: string): string | undefined {
  const count = applied.length;
  if (final.status === 201) return count === 1 ? undefined : `told 201, applied ${count} times`;
  if (final.code !== refusal) return unexplained(final);
  return count === 0 ? undefined : `refused, but applied ${count} times`;
}

function problemOfCheckout(command: Command, final: Final, books: Books): string | undefined {
  const orders = books.ordersByKey.get(command.key) ?? [];
  if (orders.length > 1) return `one key made ${orders.length} orders`;
  const [order] = orders;
  if (final.status === 201) {
    if (!order || order.id !== final.resourceId) return 'told 201, but the order does not exist';
    if (order.state === 'CONFIRMED') return undefined;
    return order.state === 'CANCELLED' && books.cancelled.has(order.id)
      ? undefined
      : `told 201, but it is ${order.state}`;
  }
  const isRefusal = [402, 409, 410].includes(final.status) || (final.status === 503 && final.orderId !== undefined);
  if (!isRefusal) return unexplained(final);
  if (final.orderId === undefined) return order ? `refused without an order, but it is ${order.state}` : undefined;
  if (order?.id !== final.orderId) return 'refused with an order that does not exist';
  if (order.state !== 'REJECTED') return `told ${final.status} ${final.code ?? ''}, but it is ${order.state}`;
  return order.rejection?.code === final.code
    ? undefined
    : `told ${final.code ?? ''}, stored ${order.rejection?.code ?? ''}`;
}

function problemOfCancel(command: Command, final: Final, books: Books): string | undefined {
  const state = books.ordersById.get(command.orderId ?? '')?.state;
  if (final.status === 200)
    return state === 'CANCELLED' ? undefined : `told 200, but the order is ${state ?? 'unknown'}`;
  return unexplained(final);
}

function unexplained({ status, code }: Final): string {
  return `an answer that nothing explains: ${status} ${code ?? ''}`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
