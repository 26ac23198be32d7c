import type pg from 'pg';
import type { Violation } from './checks.js';
import { ClientLedger, Command, Final } from './ledger.js';

interface OrderFact {
  readonly id: string;
  readonly state: string;
  readonly key: string;
  readonly rejection: { readonly code: string } | null;
}

interface PaymentFact {
  readonly orderId: string;
  readonly state: string;
  readonly amount: number;
  readonly captured: number | null;
  /** It was authorised first. */
  readonly isManual: boolean;
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
  const payments = await client.query<PaymentFact>(
    `SELECT order_id AS "orderId", state, amount::int, captured_amount::int AS captured, authorized_until IS NOT NULL OR captured_amount IS NOT NULL
       OR state IN ('VOIDED', 'EXPIRED') AS "isManual" FROM payments`,
  );
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
    payments: new Map(payments.rows.map((payment) => [payment.orderId, payment])),
    captures: groupBy(
      ledger.commands.filter(({ kind }) => kind === 'capture'),
      ({ orderId }) => orderId ?? '',
    ),
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
  readonly payments: ReadonlyMap<string, PaymentFact>;
  readonly captures: ReadonlyMap<string, readonly Command[]>;
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
    case 'capture':
      return problemOfCapture(command, final, books);
    case 'refund':
      if (final.status === 201)
        return books.refunds.get(final.resourceId ?? '') === 'SETTLED' ? undefined : 'told 201, but not SETTLED';
      // What is only authorised cannot be refunded yet.
      if (final.code === 'INVALID_STATE' && books.payments.get(command.orderId ?? '')?.isManual) return undefined;
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
  // While an authorisation is being captured, its order cannot be cancelled.
  const isExplained = final.code === 'INVALID_STATE' && books.captures.has(command.orderId ?? '');
  return isExplained ? undefined : unexplained(final);
}

/** Of several captures one is granted, and takes exactly what it asked for. Refused is who came too late. */
function problemOfCapture({ orderId = '', body, finals }: Command, final: Final, books: Books): string | undefined {
  const payment = books.payments.get(orderId);
  const others = (books.captures.get(orderId) ?? []).filter((other) => other.finals !== finals);
  const isTakenByOther = others.some((other) => other.finals[0]?.status === 200);
  if (final.status === 200) {
    if (isTakenByOther) return 'two captures of one order were granted';
    const wanted = (body as { amount?: number }).amount ?? payment?.amount;
    return payment?.captured === wanted ? undefined : `told 200, but ${payment?.captured ?? 'nothing'} is captured`;
  }
  const isOver = payment?.state === 'VOIDED' || payment?.state === 'EXPIRED';
  return final.code === 'INVALID_STATE' && (isTakenByOther || isOver) ? undefined : unexplained(final);
}

function unexplained({ status, code }: Final): string {
  return `an answer that nothing explains: ${status} ${code ?? ''}`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
