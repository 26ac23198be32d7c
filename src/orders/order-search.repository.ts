import { Injectable } from '@nestjs/common';
import { firstIdOf } from '../common/id.js';
import { keyDigestOf } from '../platform/idempotency/idempotency.js';
import { FROM_NEWEST, statement, type Statement } from '../platform/postgres/statement.js';
import type { Queryable } from '../platform/postgres/tx.js';
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
  readonly before?: string | undefined;
  readonly limit: number;
}

type Criterion = Exclude<keyof OrderFilter, 'before' | 'limit'>;

/** An id begins with the time at which it was made, a moment before its order's; clocks may have been set meanwhile. */
const SKEW_MS = 60_000;
/** Of a SKU that sells, the newest orders are found among the newest of all; the index finds those of one that does not. */
const WINDOW = 5_000;

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

/** Lists of orders, newest first: ids are in order of time, so that is the primary key backwards, and the cursor the last id. */
@Injectable()
export class OrderSearchRepository {
  /** One statement for each set of criteria, so that each has a plan of its own. */
  private readonly statements = new Map<string, Statement>();

  async list(db: Queryable, filter: OrderFilter): Promise<OrderRow[]> {
    const given = NAMES.filter((name) => filter[name] !== undefined);
    const values = given.flatMap((name) => CRITERIA[name].values(filter[name] ?? ''));
    const bounds = [newestOf(filter), oldestOf(filter), filter.limit];
    const isWide = filter.sku !== undefined && given.every((name) => name === 'sku' || name === 'state');
    if (isWide) {
      const newest = await db.query<OrderRow>(this.statement(given, true), [...bounds, ...values]);
      if (newest.length === filter.limit) return newest;
    }
    return db.query<OrderRow>(this.statement(given, false), [...bounds, ...values]);
  }

  private statement(given: readonly Criterion[], isWindow: boolean): Statement {
    const name = ['orders.list', ...given, ...(isWindow ? ['newest'] : [])].join('-');
    const known = this.statements.get(name);
    if (known) return known;
    const criteria = given.map((each, index) => CRITERIA[each].sql(`$${index + 4}`));
    const range = `id < coalesce($1, ${FROM_NEWEST}) AND id >= $2`;
    const text = isWindow
      ? `SELECT ${ORDER_COLUMNS} FROM (SELECT * FROM orders WHERE ${range} ORDER BY id DESC LIMIT ${WINDOW}) AS newest
         WHERE ${criteria.join(' AND ')} ORDER BY id DESC LIMIT $3`
      : `SELECT ${ORDER_COLUMNS} FROM orders WHERE ${[range, ...criteria].join(' AND ')} ORDER BY id DESC LIMIT $3`;
    const made = statement(name, text);
    this.statements.set(name, made);
    return made;
  }
}

function newestOf({ before, createdTo }: OrderFilter): string | null {
  const end = createdTo === undefined ? undefined : firstIdOf(Date.parse(createdTo) + SKEW_MS);
  if (before === undefined || end === undefined) return before ?? end ?? null;
  return before < end ? before : end;
}

function oldestOf({ createdFrom }: OrderFilter): string {
  return firstIdOf(createdFrom === undefined ? 0 : Date.parse(createdFrom) - SKEW_MS);
}
