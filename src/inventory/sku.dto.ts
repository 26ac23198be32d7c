import { z } from 'zod';
import { DomainError } from '../common/domain-error.js';
import { currencySchema, MAX_AMOUNT, MAX_STOCK, skuIdSchema, textSchema } from './line.dto.js';
import type { Sku, SkuData } from './sku.repository.js';
import type { StockMovement } from './stock.repository.js';

const DEFAULT_LIMIT = 100;
/** A seat map is shown whole: with a group, one answer is as large as an answer may be. */
const MAX_LIMIT = 1_000;

export const skuSchema = z.strictObject({
  name: textSchema(200),
  unitAmount: z.int().min(0).max(MAX_AMOUNT),
  currency: currencySchema,
  group: skuIdSchema.nullish(),
  onHand: z.int().min(0).max(MAX_STOCK).optional(),
});

export type SkuInput = z.infer<typeof skuSchema>;

export const adjustmentSchema = z.strictObject({
  delta: z
    .int()
    .min(-MAX_STOCK)
    .max(MAX_STOCK)
    .refine((delta) => delta !== 0, 'must not be 0'),
  reason: textSchema(500),
});

export type AdjustmentInput = z.infer<typeof adjustmentSchema>;

export const skuListSchema = z.strictObject({
  group: skuIdSchema.optional(),
  available: z.enum(['true', 'false']).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).optional(),
  cursor: z
    .string()
    .max(400)
    .transform((cursor) => Buffer.from(cursor, 'base64url').toString())
    .pipe(skuIdSchema)
    .optional(),
});

export type SkuListInput = z.infer<typeof skuListSchema>;

export function toSkuData(sku: string, { group, onHand, ...input }: SkuInput): SkuData {
  return { sku, ...input, group: group ?? null, onHand: onHand ?? 0 };
}

export function toFilter({ group, available, limit, cursor }: SkuListInput) {
  return {
    group,
    isAvailable: available === 'true',
    after: cursor ?? '',
    limit: limit ?? (group === undefined ? DEFAULT_LIMIT : MAX_LIMIT),
  };
}

export function toSkuResponse(sku: Sku) {
  return { ...sku, available: sku.onHand - sku.reserved };
}

/** `found` holds one more than the limit where there is a next page. */
export function toSkuPage(found: readonly Sku[], limit: number) {
  const items = found.slice(0, limit).map(toSkuResponse);
  const last = items.at(-1);
  const nextCursor = found.length > limit && last ? Buffer.from(last.sku).toString('base64url') : null;
  return { items, nextCursor };
}

export type SkuPage = ReturnType<typeof toSkuPage>;

export function toMovementResponse({ onHandAfter, createdAt, ...movement }: StockMovement, reserved: number) {
  return {
    ...movement,
    onHand: onHandAfter,
    reserved,
    available: onHandAfter - reserved,
    createdAt: createdAt.toISOString(),
  };
}

export function etagOf({ version }: Pick<Sku, 'version'>): string {
  return `"${version}"`;
}

/** RFC 9110: `*` asks that the SKU exists; a weak tag never matches. */
export function assertIfMatch(ifMatch: string | undefined, sku: Sku | undefined): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (sku && (tags.includes('*') || tags.includes(etagOf(sku)))) return;
  const detail = sku ? `The SKU is at version ${etagOf(sku)}, read it again` : 'The SKU does not exist';
  throw new DomainError('PRECONDITION_FAILED', detail, sku ? { version: sku.version } : {});
}
