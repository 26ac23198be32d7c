import { Injectable } from '@nestjs/common';
import { customerKeyOf, nameClaims } from '../../balance/allowance.js';
import { overRows } from '../../platform/postgres/rows.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { StockRepository } from '../stock/stock.repository.js';
import type { Shortage } from '../stock/stock-line.js';
import { HoldTerms, Offer, PricedLine, ReservationWithLines, totalOf } from './reservation.js';
import { AllowanceExceededError } from './reservation.errors.js';
import { ReservationClaimsRepository } from './reservation-claims.repository.js';

const REPRICE = statement(
  'reservation.reprice',
  `UPDATE reservations SET total = $2, terms = $3::jsonb, has_claims = CASE WHEN $4 THEN true END, updated_at = now()
   WHERE id = $1 AND state = 'HELD'`,
);

/** Lines that are not named any more. */
const DROP = statement(
  'reservation.drop-lines',
  `DELETE FROM reservation_lines WHERE reservation_id = $1 AND NOT sku = ANY($2::text[])`,
);

const PUT = overRows<PricedLine & { readonly reservationId: string }>(
  'reservation.put-lines',
  { reservationId: 'uuid', sku: 'text', name: 'text', quantity: 'int', unitAmount: 'bigint' },
  (given) => `INSERT INTO reservation_lines (reservation_id, sku, name, quantity, unit_amount) SELECT * FROM ${given}
   ON CONFLICT (reservation_id, sku) DO UPDATE
     SET name = excluded.name, quantity = excluded.quantity, unit_amount = excluded.unit_amount`,
);

/** Other goods for a hold, by the difference: nobody else can have in between what it keeps. */
@Injectable()
export class ReservationLinesRepository {
  constructor(
    private readonly stock: StockRepository,
    private readonly claims: ReservationClaimsRepository,
  ) {}

  /**
   * The hold's row must be locked, and held. Under the locks of all SKUs of both. Answers what is missing; then nothing was
   * written.
   */
  async change(
    tx: Tx,
    held: ReservationWithLines,
    { lines, terms }: Offer,
    token: bigint,
  ): Promise<readonly Shortage[]> {
    const before = new Map(held.lines.map(({ sku, quantity }) => [sku, quantity]));
    const after = new Map(lines.map(({ sku, quantity }) => [sku, quantity]));
    const skus = [...new Set([...before.keys(), ...after.keys()])];
    const rows = await this.stock.lock(tx, skus, token);
    const shortages: Shortage[] = [];
    const differences = new Map<string, number>();
    for (const sku of skus) {
      const [had = 0, requested = 0] = [before.get(sku), after.get(sku)];
      const row = rows.get(sku);
      const available = row ? row.onHand - row.reserved + had : had;
      if (requested > had && requested > available) shortages.push({ sku, requested, available });
      if (requested !== had) differences.set(sku, requested - had);
    }
    if (shortages.length > 0) return shortages;
    this.stock.reserve(tx, differences, token);
    tx.send(DROP, [held.id, [...after.keys()]]);
    tx.send(...PUT.over(lines.map((line) => ({ ...line, reservationId: held.id }))));
    const hasClaims = await this.claim(tx, held, terms, token);
    tx.send(REPRICE, [held.id, totalOf({ lines, terms }), terms ? JSON.stringify(terms) : null, hasClaims]);
    return [];
  }

  /** Coupons and limits follow the lines. Throws COUPON_EXHAUSTED or LIMIT_EXCEEDED, and the hold stays as it was. */
  private async claim(
    tx: Tx,
    held: ReservationWithLines,
    terms: HoldTerms | undefined,
    token: bigint,
  ): Promise<boolean> {
    if (!terms && !held.terms) return false;
    const customer = customerKeyOf({ id: held.customerId ?? undefined });
    const claims = nameClaims(terms?.claims ?? [], customer);
    const [exceeded] = await this.claims.change(tx, [{ reservationId: held.id, claims }], token);
    if (exceeded) throw new AllowanceExceededError(exceeded);
    return claims.length > 0;
  }
}
