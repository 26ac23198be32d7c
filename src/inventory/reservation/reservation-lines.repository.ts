import { Injectable } from '@nestjs/common';
import { overRows } from '../../platform/postgres/rows.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { StockRepository } from '../stock/stock.repository.js';
import type { Shortage } from '../stock/stock-allocation.js';
import { PricedLine, ReservationWithLines, totalOf } from './reservation.js';

const REPRICE = statement(
  'reservation.reprice',
  `UPDATE reservations SET total = $2, updated_at = now() WHERE id = $1 AND state = 'HELD'`,
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
  constructor(private readonly stock: StockRepository) {}

  /**
   * The hold's row must be locked, and held. Under the locks of all SKUs of both. Answers what is missing; then nothing was
   * written.
   */
  async change(
    tx: Tx,
    held: ReservationWithLines,
    lines: readonly PricedLine[],
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
    tx.send(PUT, PUT.params(lines.map((line) => ({ ...line, reservationId: held.id }))));
    tx.send(REPRICE, [held.id, totalOf(lines)]);
    return [];
  }
}
