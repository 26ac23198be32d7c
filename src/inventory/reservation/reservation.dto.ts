import { z } from 'zod';
import { linesSchema, pricedLineSchema } from '../line.dto.js';
import { amountSchema, currencySchema, skuIdSchema, timeSchema, totalsSchema } from '../../platform/http/fields.js';
import { totalsOf } from '../../common/totals.js';
import { couponsSchema } from '../../promotion/coupon.dto.js';
import { ONE_OF } from '../../platform/http/openapi/schema-converter.js';
import { effectiveState, PricedLine, RESERVATION_STATES, ReservationWithLines } from './reservation.js';
import type { StockLine } from '../stock/stock-line.js';

const MAX_ALTERNATIVES = 20;
const MAX_SEATS = 50;
const MAX_EXTENSION_SECONDS = 86_400;

function seats(...names: string[]) {
  return names.map((name) => ({ sku: `cinema:show:12345:seat:${name}`, quantity: 1 }));
}

const bestAvailableSchema = z
  .strictObject({
    group: skuIdSchema,
    quantity: z.int().min(1).max(MAX_SEATS),
    adjacent: z
      .boolean()
      .meta({ description: '`true`: side by side or not at all. Otherwise side by side if possible.' })
      .optional(),
  })
  .meta({
    description:
      'In place of lines: the best seats of a group that can be had, in the first row that has room, as near to its middle as possible. The seats say where they are by their `row` and `number`.',
    examples: [{ group: 'cinema:show:12345', quantity: 2, adjacent: true }],
  });

export type BestAvailable = z.infer<typeof bestAvailableSchema>;

/** Lines, groups of lines of which the first that can be held completely is held, or the best seats. */
export const reservationSchema = z
  .strictObject({
    currency: currencySchema,
    coupons: couponsSchema.optional(),
    lines: linesSchema.optional(),
    bestAvailable: bestAvailableSchema.optional(),
    alternatives: z
      .array(linesSchema)
      .min(1)
      .max(MAX_ALTERNATIVES)
      .meta({ description: 'In place of lines: the first that can be held whole is held' })
      .optional(),
  })
  .refine((body) => [body.lines, body.alternatives, body.bestAvailable].filter(Boolean).length === 1, {
    path: ['lines'],
    message: 'send either lines, alternatives or bestAvailable',
  })
  .meta({
    id: 'ReservationRequest',
    [ONE_OF]: ['lines', 'alternatives', 'bestAvailable'],
    examples: [{ currency: 'EUR', alternatives: [seats('B4', 'B5'), seats('C4', 'C5')] }],
  });

export type ReservationInput = z.infer<typeof reservationSchema>;

export const extensionSchema = z
  .strictObject({ seconds: z.int().min(1).max(MAX_EXTENSION_SECONDS) })
  .meta({ id: 'ExtensionRequest', examples: [{ seconds: 300 }] });

export const reservationLinesSchema = z
  .strictObject({ lines: linesSchema })
  .meta({ id: 'ReservationLinesRequest', examples: [{ lines: seats('B4', 'B5') }] });

export const reservationIdSchema = z.string().meta({ format: 'uuid', description: 'The reservation’s id' });

export const reservationResponseSchema = z
  .object({
    id: z.uuid(),
    state: z.enum(RESERVATION_STATES).meta({ examples: ['HELD'] }),
    currency: currencySchema,
    expiresAt: timeSchema.meta({ description: 'Until then the stock is kept' }),
    lines: z.array(pricedLineSchema),
    total: amountSchema.meta({ description: 'What is owed for the goods, after discounts' }),
    totals: totalsSchema,
    amountDue: amountSchema.meta({ description: 'What a card would pay, unless credit pays a part' }),
    alternative: z.int().meta({ description: 'Which of the alternatives is held, from 0', examples: [0] }),
  })
  .meta({ id: 'Reservation' });

export const createdReservationSchema = reservationResponseSchema
  .extend({
    accessToken: z.string().meta({ description: 'Send it in X-Access-Token to read, extend, release or buy' }),
  })
  .meta({ id: 'CreatedReservation' });

export type ReservationLinesInput = z.infer<typeof reservationLinesSchema>;
export type ExtensionInput = z.infer<typeof extensionSchema>;

export function alternativesOf({ lines, alternatives }: ReservationInput): readonly (readonly StockLine[])[] {
  return alternatives ?? [lines ?? []];
}

type Shown = Pick<ReservationWithLines, 'id' | 'currency' | 'expiresAt' | 'lines' | 'total' | 'terms' | 'alternative'> &
  Parameters<typeof effectiveState>[0];

export function toReservationResponse(reservation: Shown) {
  const { id, currency, expiresAt, lines, total, terms, alternative } = reservation;
  return {
    id,
    state: effectiveState(reservation),
    currency,
    expiresAt: expiresAt.toISOString(),
    lines: lines.map(toLineResponse),
    total,
    totals: totalsOf({ total, discounts: terms?.discounts }),
    amountDue: total,
    alternative,
  };
}

export type ReservationResponse = ReturnType<typeof toReservationResponse>;

function toLineResponse({ sku, name, quantity, unitAmount }: PricedLine) {
  return { sku, name, quantity, unitAmount, amount: quantity * unitAmount };
}
