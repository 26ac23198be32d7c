import { Injectable } from '@nestjs/common';
import { firstIdOf } from '../common/id.js';
import { keyDigestOf } from '../platform/idempotency/idempotency.js';
import { FROM_NEWEST, statement, type Statement } from '../platform/postgres/statement.js';
import { isCancelled } from '../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import type { Queryable } from '../platform/postgres/tx.js';
import { pageOf, type ReadWindow, type Walked, walkWindows, type Window } from '../platform/postgres/window-walk.js';
import type { OrderState } from './order-state.js';
import { ORDER_COLUMNS, OrderRow } from './order.repository.js';

export interface OrderFilter {
  readonly id?: string | undefined;
  readonly customerId?: string | undefined;
  readonly state?: OrderState | undefined;
  readonly email?: string | undefined;
  readonly sku?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly createdFrom?: string | undefined;
  /** Exclusive. */
  readonly createdTo?: string | undefined;
}

export interface OrderPageRequest extends OrderFilter {
  readonly before?: string | undefined;
  readonly limit: number;
}

type Criterion = keyof OrderFilter;

/** An id begins with the time at which it was made, a moment before its order's; clocks may have been set meanwhile. */
const SKEW_MS = 60_000;
/**
 * Of a SKU that sells, the newest orders are found among the newest of all; the index finds those of one that does not. It reads
 * all orders of the SKU, so where these are too many for it after all, it is given up.
 */
const SKU_WINDOW = 2_000;
const INDEX_PATIENCE_MS = 80;
const IMPATIENT = statement('orders.impatient', `SELECT set_config('statement_timeout', '${INDEX_PATIENCE_MS}', true)`);

const SKUS = `jsonb_path_query_array(lines, '$[*].sku')`;

/** What an order must be like. Each is found by an index, but for the state: that narrows down what the others leave. */
const CRITERIA: Readonly<Record<Criterion, { sql: (value: string) => string; values: (given: string) => unknown[] }>> =
  {
    id: { sql: (value) => `id = ${value}`, values: (id) => [id] },
    customerId: { sql: (value) => `customer_id = ${value}`, values: (id) => [id] },
    state: { sql: (value) => `state = ${value}`, values: (state) => [state] },
    email: { sql: (value) => `lower(customer_email) = lower(${value})`, values: (email) => [email] },
    sku: { sql: (value) => `${SKUS} @> ${value}::jsonb`, values: (sku) => [JSON.stringify([sku])] },
    idempotencyKey: {
      sql: (value) => `idempotency_digest = decode(${value}, 'hex')`,
      values: (key) => [keyDigestOf(key)],
    },
    createdFrom: { sql: (value) => `created_at >= ${value}`, values: (time) => [time] },
    createdTo: { sql: (value) => `created_at < ${value}`, values: (time) => [time] },
  };
const NAMES = Object.keys(CRITERIA) as readonly Criterion[];

const RANGE = `id < coalesce($1, ${FROM_NEWEST}) AND id >= $2`;
const WINDOW_END = statement(
  'orders.window-end',
  `SELECT id FROM orders WHERE ${RANGE} ORDER BY id DESC OFFSET $3 LIMIT 1`,
);
/** Each of these finds few orders, or those of one customer in their order. */
const NARROW: readonly Criterion[] = ['id', 'customerId', 'email', 'idempotencyKey'];
/**
 * What these find has to be sorted. Without a fence (`OFFSET 0`) the planner may rather walk through all orders by their ids, and
 * hope to meet enough of them.
 */
const FENCED: readonly Criterion[] = ['id', 'idempotencyKey', 'sku'];

/** Lists of orders, newest first: ids are in order of time, so that is the primary key backwards, and the cursor the last id. */
@Injectable()
export class OrderSearchRepository {
  /** One statement for each set of criteria, so that each has a plan of its own. */
  private readonly statements = new Map<string, Statement>();

  constructor(private readonly transactions: TransactionRunner) {}

  async page({ before, limit, ...filter }: OrderPageRequest): Promise<Walked<OrderRow>> {
    const isNarrow = NARROW.some((name) => filter[name] !== undefined);
    if (isNarrow) return pageOf(await this.find(this.transactions, filter, before, limit + 1), limit);
    const read: ReadWindow<OrderRow> = (db, at, wanted, size) => this.window(db, filter, at, wanted, size);
    if (filter.sku !== undefined) {
      const { rows, end } = await read(this.transactions, before, limit + 1, SKU_WINDOW);
      if (rows.length > limit || end === undefined) return pageOf(rows, limit);
      const indexed = await this.findInTime(filter, before, limit + 1);
      if (indexed) return pageOf(indexed, limit);
    }
    return walkWindows(this.transactions, { before, limit }, read);
  }

  private async window(
    db: Queryable,
    filter: OrderFilter,
    before: string | undefined,
    limit: number,
    size: number,
  ): Promise<Window<OrderRow>> {
    const [rows, ends] = await Promise.all([
      this.find(db, filter, before, limit, size),
      db.query<{ id: string }>(WINDOW_END, [newestOf(filter, before), oldestOf(filter), size - 1]),
    ]);
    return { rows, end: ends[0]?.id };
  }

  /** By the index of SKUs; undefined if that takes too long. */
  private async findInTime(
    filter: OrderFilter,
    before: string | undefined,
    limit: number,
  ): Promise<OrderRow[] | undefined> {
    try {
      return await this.transactions.run(async (tx) => {
        const [, rows] = await Promise.all([tx.query(IMPATIENT, []), this.find(tx, filter, before, limit)]);
        return rows;
      });
    } catch (error) {
      if (isCancelled(error)) return undefined;
      throw error;
    }
  }

  private find(
    db: Queryable,
    filter: OrderFilter,
    before: string | undefined,
    limit: number,
    window?: number,
  ): Promise<OrderRow[]> {
    const given = NAMES.filter((name) => filter[name] !== undefined);
    const values = given.flatMap((name) => CRITERIA[name].values(filter[name] ?? ''));
    const bounds = [newestOf(filter, before), oldestOf(filter), limit, ...(window === undefined ? [] : [window])];
    return db.query<OrderRow>(this.statement(given, window !== undefined), [...bounds, ...values]);
  }

  private statement(given: readonly Criterion[], isWindow: boolean): Statement {
    const name = ['orders.list', ...given, ...(isWindow ? ['window'] : [])].join('-');
    const known = this.statements.get(name);
    if (known) return known;
    const first = isWindow ? 5 : 4;
    const sqlOf = (each: Criterion) => CRITERIA[each].sql(`$${given.indexOf(each) + first}`);
    const fence = isWindow ? undefined : FENCED.find((each) => given.includes(each));
    const rest = given.filter((each) => each !== fence).map(sqlOf);
    const from = isWindow
      ? `(SELECT * FROM orders WHERE ${RANGE} ORDER BY id DESC LIMIT $4) AS newest`
      : fence
        ? `(SELECT * FROM orders WHERE ${sqlOf(fence)} OFFSET 0) AS found`
        : 'orders';
    const where = [...(isWindow ? [] : [RANGE]), ...rest].join(' AND ') || 'true';
    const made = statement(name, `SELECT ${ORDER_COLUMNS} FROM ${from} WHERE ${where} ORDER BY id DESC LIMIT $3`);
    this.statements.set(name, made);
    return made;
  }
}

function newestOf({ createdTo }: OrderFilter, before: string | undefined): string | null {
  const end = createdTo === undefined ? undefined : firstIdOf(Date.parse(createdTo) + SKEW_MS);
  if (before === undefined || end === undefined) return before ?? end ?? null;
  return before < end ? before : end;
}

function oldestOf({ createdFrom }: OrderFilter): string {
  return firstIdOf(createdFrom === undefined ? 0 : Date.parse(createdFrom) - SKEW_MS);
}
