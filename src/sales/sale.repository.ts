import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import type { Sale, SaleAudit, SaleTerms } from './sale.js';

const COLUMNS = `id, sku_group AS "group", skus, starts_at AS "startsAt", ends_at AS "endsAt",
  admit_per_second AS "admitPerSecond", max_active AS "maxActive", ticket_ttl_seconds AS "ticketTtlSeconds",
  paused_at AS "pausedAt", ended_at AS "endedAt", sold_out_at AS "soldOutAt", drawn_at AS "drawnAt",
  advanced_at AS "advancedAt", round_at AS "roundAt", issued, admitted, active, bought,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const FIND = statement('sale.find', `SELECT ${COLUMNS} FROM sales WHERE id = $1`);
const LOCK = statement(
  'sale.lock',
  `SELECT ${COLUMNS} FROM sales WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE`,
);

const MAX_OPEN = 1_000;
/** In force from the moment it is set up: before its start nobody is admitted, so nobody buys. */
const OPEN = statement(
  'sale.open',
  `SELECT ${COLUMNS} FROM sales WHERE ended_at IS NULL AND (ends_at IS NULL OR ends_at > now())
   ORDER BY starts_at LIMIT ${MAX_OPEN}`,
);

const LIST = statement('sale.list', `SELECT ${COLUMNS} FROM sales WHERE id > $1 ORDER BY id LIMIT $2`);

const INSERT = statement(
  'sale.insert',
  `INSERT INTO sales (id, sku_group, skus, starts_at, ends_at, admit_per_second, max_active, ticket_ttl_seconds, seed)
   VALUES ($1, $2, $3::text[], $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
);

const UPDATE = statement(
  'sale.update',
  `UPDATE sales SET sku_group = $2, skus = $3::text[], starts_at = $4, ends_at = $5, admit_per_second = $6, max_active = $7,
     ticket_ttl_seconds = $8, updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`,
);

const MOVES = {
  pause: `paused_at = now() WHERE id = $1 AND paused_at IS NULL AND ended_at IS NULL`,
  // The time of the pause is not made up for.
  resume: `paused_at = NULL, advanced_at = greatest(advanced_at, now()) WHERE id = $1 AND paused_at IS NOT NULL AND ended_at IS NULL`,
  end: `ended_at = now() WHERE id = $1 AND ended_at IS NULL`,
} as const;

export type SaleVerb = keyof typeof MOVES;

const VERBS = Object.fromEntries(
  Object.entries(MOVES).map(([verb, move]) => [
    verb,
    statement(`sale.${verb}`, `UPDATE sales SET updated_at = now(), ${move} RETURNING ${COLUMNS}`),
  ]),
) as Record<SaleVerb, ReturnType<typeof statement>>;

const AUDIT = statement(
  'sale.audit',
  `INSERT INTO sale_audit (sale_id, verb, actor, detail) VALUES ($1, $2, $3, $4::jsonb)`,
);

const AUDIT_TRAIL = statement(
  'sale.audit-trail',
  `SELECT verb, actor, detail, created_at AS "createdAt" FROM sale_audit WHERE sale_id = $1 ORDER BY id DESC LIMIT 100`,
);

@Injectable()
export class SaleRepository {
  async find(db: Queryable, id: string): Promise<Sale | undefined> {
    return (await db.query<Sale>(FIND, [id]))[0];
  }

  /** In one order. Not against those who only refer to the sale. */
  async lock(tx: Tx, ids: readonly string[]): Promise<Map<string, Sale>> {
    const sales = await tx.query<Sale>(LOCK, [ids]);
    return new Map(sales.map((sale) => [sale.id, sale]));
  }

  open(db: Queryable): Promise<Sale[]> {
    return db.query<Sale>(OPEN, []);
  }

  list(db: Queryable, after: string, limit: number): Promise<Sale[]> {
    return db.query<Sale>(LIST, [after, limit]);
  }

  /** Undefined where it exists. */
  async insert(tx: Tx, terms: SaleTerms): Promise<Sale | undefined> {
    return (await tx.query<Sale>(INSERT, [...paramsOf(terms), randomUUID()]))[0];
  }

  async update(tx: Tx, terms: SaleTerms): Promise<Sale | undefined> {
    return (await tx.query<Sale>(UPDATE, paramsOf(terms)))[0];
  }

  /** Undefined where the sale was not in a state for it. */
  async apply(tx: Tx, id: string, verb: SaleVerb): Promise<Sale | undefined> {
    return (await tx.query<Sale>(VERBS[verb], [id]))[0];
  }

  audit(tx: Tx, saleId: string, entry: Omit<SaleAudit, 'createdAt'>): void {
    tx.send(AUDIT, [saleId, entry.verb, entry.actor, JSON.stringify(entry.detail)]);
  }

  auditTrail(db: Queryable, saleId: string): Promise<SaleAudit[]> {
    return db.query<SaleAudit>(AUDIT_TRAIL, [saleId]);
  }
}

function paramsOf(terms: SaleTerms): unknown[] {
  const { id, group, skus, startsAt, endsAt, admitPerSecond, maxActive, ticketTtlSeconds } = terms;
  return [id, group, skus, startsAt, endsAt, admitPerSecond, maxActive, ticketTtlSeconds];
}
