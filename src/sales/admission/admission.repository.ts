import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/postgres/statement.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { Sale } from '../sale.js';
import type { Advance, Pace } from './admission.js';

export interface RoundSale extends Pace, Pick<Sale, 'id' | 'group' | 'skus' | 'drawnAt' | 'ticketTtlSeconds'> {
  readonly now: Date;
}

export interface Census {
  readonly active: number;
  readonly bought: number;
  /** Units that are there, held ones among them. */
  readonly stock: number;
}

/**
 * One instance makes the round of a sale: who waited for it meanwhile sees that it was made, and finds nothing. The lock is
 * also that of tickets which are given out, so that the draw sees all or none of a batch; skipping what is locked would
 * leave the queue standing for as long as people stream into it.
 */
const CLAIM = statement(
  'admission.claim',
  `SELECT id, sku_group AS "group", skus, starts_at AS "startsAt", advanced_at AS "advancedAt", paused_at AS "pausedAt",
     admit_per_second AS "admitPerSecond", max_active AS "maxActive", issued, admitted, drawn_at AS "drawnAt",
     ticket_ttl_seconds AS "ticketTtlSeconds", now() AS now
   FROM sales WHERE id = $1 AND ended_at IS NULL AND (round_at IS NULL OR round_at < now() - interval '0.8 seconds')
   FOR NO KEY UPDATE`,
);

/**
 * Who came before the start, in an order that follows from the seed; then the others, as they came. Drawn again after a
 * crash it comes out the same.
 */
const DRAW = statement(
  'admission.draw',
  `UPDATE sale_tickets AS ticket SET place = drawn.place
   FROM (
     SELECT tickets.id, row_number() OVER (
       ORDER BY tickets.created_at >= sales.starts_at,
         CASE WHEN tickets.created_at < sales.starts_at THEN md5(sales.seed || tickets.id::text) END, tickets.arrival
     ) AS place
     FROM sale_tickets AS tickets JOIN sales ON sales.id = tickets.sale_id WHERE tickets.sale_id = $1
   ) AS drawn WHERE ticket.id = drawn.id`,
);
const DRAWN = statement('admission.drawn', `UPDATE sales SET drawn_at = now() WHERE id = $1`);

/** Purchases are noticed here rather than in the transaction that confirms an order, which has better things to do. */
const NOTE_BOUGHT = statement(
  'admission.note-bought',
  `UPDATE sale_tickets SET bought_at = now()
   WHERE sale_id = $1 AND admitted_at IS NOT NULL AND bought_at IS NULL AND reservation_id IS NOT NULL
     AND EXISTS (SELECT FROM reservations WHERE reservations.id = reservation_id AND state = 'COMMITTED')
   RETURNING 1`,
);

/** Of a group or of a list; a sale has one of the two. */
const CENSUS = statement(
  'admission.census',
  `SELECT
     (SELECT count(*)::int FROM sale_tickets
      WHERE sale_id = $1 AND admitted_at IS NOT NULL AND bought_at IS NULL AND admitted_until > now()) AS active,
     (SELECT coalesce(sum(on_hand), 0)::int FROM skus WHERE sku_group = $2)
       + (SELECT coalesce(sum(on_hand), 0)::int FROM skus WHERE sku = ANY($3::text[])) AS stock`,
);

const ADMIT = statement(
  'admission.admit',
  `UPDATE sale_tickets SET admitted_at = now(), admitted_until = now() + $4 * interval '1 second'
   FROM sales WHERE sales.id = $1 AND sale_id = $1 AND place > $2 AND place <= $3 AND admitted_at IS NULL
   RETURNING extract(epoch FROM now() - greatest(sale_tickets.created_at, sales.starts_at))::float8 AS waited`,
);

const CONCLUDE = statement(
  'admission.conclude',
  `UPDATE sales SET admitted = admitted + $2, advanced_at = $3, active = $4, bought = bought + $5, round_at = now(),
     sold_out_at = CASE WHEN $6::boolean THEN coalesce(sold_out_at, now()) END WHERE id = $1`,
);

/** Rounds of admission. Every statement belongs to the transaction that claimed the sale. */
@Injectable()
export class AdmissionRepository {
  /** Undefined where there is nothing to do for us. */
  async claim(tx: Tx, saleId: string): Promise<RoundSale | undefined> {
    return (await tx.query<RoundSale>(CLAIM, [saleId]))[0];
  }

  draw(tx: Tx, saleId: string): void {
    tx.send(DRAW, [saleId]);
    tx.send(DRAWN, [saleId]);
  }

  async census(tx: Tx, { id, group, skus }: RoundSale): Promise<Census> {
    const bought = tx.query(NOTE_BOUGHT, [id]);
    const counted = tx.query<Omit<Census, 'bought'>>(CENSUS, [id, group, skus ?? []]);
    const [purchases, [counts]] = await Promise.all([bought, counted]);
    return { active: counts?.active ?? 0, stock: counts?.stock ?? 0, bought: purchases.length };
  }

  /** Answers how long each of them waited, in seconds. */
  async admit(tx: Tx, sale: RoundSale, granted: number): Promise<readonly number[]> {
    const params = [sale.id, sale.admitted, sale.admitted + granted, sale.ticketTtlSeconds];
    return (await tx.query<{ waited: number }>(ADMIT, params)).map(({ waited }) => waited);
  }

  conclude(tx: Tx, saleId: string, { granted, advancedAt }: Advance, { active, bought, stock }: Census): void {
    tx.send(CONCLUDE, [saleId, granted, advancedAt, active + granted, bought, stock === 0]);
  }
}
