import { z } from 'zod';
import { currencySchema, linesSchema } from './line.dto.js';
import { effectiveState, PricedLine, ReservationWithLines } from './reservation.js';
import type { StockLine } from './stock-allocation.js';

const MAX_ALTERNATIVES = 20;
const MAX_EXTENSION_SECONDS = 86_400;

/** Either the lines, or groups of lines of which the first that can be held whole is held. */
export const reservationSchema = z
  .strictObject({
    currency: currencySchema,
    lines: linesSchema.optional(),
    alternatives: z.array(linesSchema).min(1).max(MAX_ALTERNATIVES).optional(),
  })
  .refine(({ lines, alternatives }) => (lines === undefined) !== (alternatives === undefined), {
    path: ['lines'],
    message: 'send either lines or alternatives',
  });

export type ReservationInput = z.infer<typeof reservationSchema>;

export const extensionSchema = z.strictObject({ seconds: z.int().min(1).max(MAX_EXTENSION_SECONDS) });

export type ExtensionInput = z.infer<typeof extensionSchema>;

export function alternativesOf({ lines, alternatives }: ReservationInput): readonly (readonly StockLine[])[] {
  return alternatives ?? [lines ?? []];
}

type Shown = Pick<ReservationWithLines, 'id' | 'currency' | 'expiresAt' | 'lines' | 'total' | 'alternative'> &
  Parameters<typeof effectiveState>[0];

export function toReservationResponse(reservation: Shown) {
  const { id, currency, expiresAt, lines, total, alternative } = reservation;
  return {
    id,
    state: effectiveState(reservation),
    currency,
    expiresAt: expiresAt.toISOString(),
    lines: lines.map(toLineResponse),
    total,
    alternative,
  };
}

export type ReservationResponse = ReturnType<typeof toReservationResponse>;

function toLineResponse({ sku, name, quantity, unitAmount }: PricedLine) {
  return { sku, name, quantity, unitAmount, amount: quantity * unitAmount };
}
