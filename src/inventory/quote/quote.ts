import { DomainError } from '../../common/domain-error.js';
import type { PricedLine } from '../reservation/reservation.js';
import { SkuNotFoundError } from '../sku/sku.errors.js';
import type { Sku } from '../sku/sku.js';
import { mergeQuantities, StockLine } from '../stock/stock-allocation.js';

export interface QuotedLine extends PricedLine {
  readonly amount: number;
  /** Units that can be held now. */
  readonly available: number;
}

export interface Quote {
  readonly currency: string;
  readonly lines: readonly QuotedLine[];
  readonly total: number;
  readonly isAvailable: boolean;
}

/** Prices come from the catalogue, never from the client; lines of one SKU become one line. */
export function priceLines(
  catalogue: ReadonlyMap<string, Sku>,
  currency: string,
  lines: readonly StockLine[],
): readonly QuotedLine[] {
  const merged = mergeQuantities(lines);
  const unknown = [...merged.keys()].filter((sku) => !catalogue.has(sku));
  if (unknown.length > 0) throw new SkuNotFoundError(unknown);
  const priced = [...merged].map(([sku, quantity]) => ({ quantity, sku: catalogue.get(sku) as Sku }));
  const foreign = priced.filter(({ sku }) => sku.currency !== currency);
  if (foreign.length > 0) {
    const errors = foreign.map(({ sku }) => ({
      path: 'lines',
      message: `${sku.sku} is priced in ${sku.currency}, not in ${currency}`,
    }));
    throw new DomainError('VALIDATION_FAILED', errors[0]?.message ?? '', { errors });
  }
  return priced.map(({ quantity, sku }) => ({
    sku: sku.sku,
    name: sku.name,
    quantity,
    unitAmount: sku.unitAmount,
    amount: quantity * sku.unitAmount,
    available: sku.onHand - sku.reserved,
  }));
}

export function toQuote(currency: string, lines: readonly QuotedLine[]): Quote {
  return {
    currency,
    lines,
    total: lines.reduce((sum, line) => sum + line.amount, 0),
    isAvailable: lines.every((line) => line.quantity <= line.available),
  };
}
