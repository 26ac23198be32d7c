import { z } from 'zod';
import { DomainError } from '../../common/domain-error.js';
import { MAX_STOCK } from '../line.dto.js';
import {
  amountSchema,
  currencySchema,
  MAX_AMOUNT,
  pageSchema,
  skuIdSchema,
  textSchema,
  timeSchema,
} from '../../platform/http/fields.js';
import type { Sku, SkuData } from './sku.js';
import type { StockMovement } from '../stock/stock.repository.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** A seat map is shown whole: a group without a limit is one answer, as large as an answer may be. */
const MAX_GROUP = 5_000;

export const skuSchema = z
  .strictObject({
    name: textSchema(200),
    unitAmount: z.int().min(0).max(MAX_AMOUNT).meta({ description: 'In minor units' }),
    currency: currencySchema,
    group: skuIdSchema.nullish(),
    row: textSchema(50)
      .nullish()
      .meta({ description: 'Of a seat', examples: ['B'] }),
    number: z
      .int()
      .min(0)
      .max(1_000_000)
      .nullish()
      .meta({ description: 'Of a seat, within its row: adjacent numbers are side by side', examples: [4] }),
    maxPerCustomer: z
      .int()
      .min(1)
      .max(MAX_STOCK)
      .nullish()
      .meta({ description: 'How many one customer may have, over all orders that are held or confirmed' }),
    onHand: z
      .int()
      .min(0)
      .max(MAX_STOCK)
      .meta({ description: 'The stock of a new SKU; ignored for one that exists: use an adjustment' })
      .optional(),
  })
  .meta({
    id: 'SkuRequest',
    examples: [{ name: 'Mug', unitAmount: 1_250, currency: 'EUR', group: 'demo', onHand: 1_000 }],
  });

export type SkuInput = z.infer<typeof skuSchema>;

export const adjustmentSchema = z
  .strictObject({
    delta: z
      .int()
      .min(-MAX_STOCK)
      .max(MAX_STOCK)
      .refine((delta) => delta !== 0, 'must not be 0'),
    reason: textSchema(500),
  })
  .meta({ id: 'AdjustmentRequest', examples: [{ delta: 25, reason: 'delivery 4711' }] });

export type AdjustmentInput = z.infer<typeof adjustmentSchema>;

export const skuListSchema = z.strictObject({
  group: skuIdSchema.optional().meta({ description: 'Only this group', examples: ['cinema:show:12345'] }),
  available: z.enum(['true', 'false']).optional().meta({ description: '`true`: only what can be had now' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .optional()
    .meta({ description: `By default ${DEFAULT_LIMIT}; with a group all of it, up to ${MAX_GROUP}` }),
  cursor: z
    .string()
    .max(400)
    .meta({ description: '`nextCursor` of the page before' })
    .transform((cursor) => Buffer.from(cursor, 'base64url').toString())
    .pipe(skuIdSchema)
    .optional(),
});

export type SkuListInput = z.infer<typeof skuListSchema>;

export const skuEventsSchema = z.strictObject({
  group: skuIdSchema.meta({ description: 'Which group to follow', examples: ['cinema:show:12345'] }),
  lastEventId: z.string().max(100).optional().meta({ description: 'For clients that cannot send `Last-Event-ID`' }),
});

export type SkuEventsInput = z.infer<typeof skuEventsSchema>;

export const skuResponseSchema = z
  .object({
    sku: z.string().meta({ examples: ['demo-mug'] }),
    name: z.string().meta({ examples: ['Mug'] }),
    unitAmount: amountSchema,
    currency: currencySchema,
    group: z
      .string()
      .nullable()
      .meta({ examples: ['demo'] }),
    row: z
      .string()
      .optional()
      .meta({ description: 'Of a seat', examples: ['B'] }),
    number: z
      .int()
      .optional()
      .meta({ description: 'Of a seat, within its row', examples: [4] }),
    maxPerCustomer: z
      .int()
      .optional()
      .meta({ description: 'How many one customer may have', examples: [2] }),
    onHand: z.int().meta({ description: 'Units that are there', examples: [1_000] }),
    reserved: z.int().meta({ description: 'Of those, held by somebody', examples: [4] }),
    available: z.int().meta({ description: 'onHand − reserved', examples: [996] }),
    version: z.int().meta({ description: 'Of the catalogue data; what If-Match compares', examples: [1] }),
  })
  .meta({ id: 'Sku' });

export const skuPageSchema = pageSchema(skuResponseSchema, 'SkuPage');

export const movementResponseSchema = z
  .object({
    id: z.int(),
    sku: z.string().meta({ examples: ['demo-mug'] }),
    kind: z.enum(['INITIAL', 'ADJUSTMENT', 'RESTOCK']).meta({ examples: ['ADJUSTMENT'] }),
    delta: z.int().meta({ examples: [25] }),
    reason: z.string().meta({ examples: ['delivery 4711'] }),
    actor: z.string().meta({ description: 'The client that did it', examples: ['admin:back-office'] }),
    onHand: z.int().meta({ description: 'After the movement' }),
    reserved: z.int(),
    available: z.int(),
    createdAt: timeSchema,
  })
  .meta({ id: 'StockMovement' });

export function toSkuData(sku: string, { group, row, number, maxPerCustomer, onHand, ...input }: SkuInput): SkuData {
  return {
    ...{ sku, ...input, group: group ?? null, row: row ?? null, number: number ?? null },
    ...{ maxPerCustomer: maxPerCustomer ?? null, onHand: onHand ?? 0 },
  };
}

export function toFilter({ group, available, limit, cursor }: SkuListInput) {
  return {
    group,
    isAvailable: available === 'true',
    after: cursor ?? '',
    limit: limit ?? (group === undefined ? DEFAULT_LIMIT : MAX_GROUP),
  };
}

/** Only what is a seat has a place, and only some have a limit. */
export function toSkuResponse({ row, number, maxPerCustomer, ...sku }: Sku) {
  return {
    ...sku,
    ...(row !== null && { row }),
    ...(number !== null && { number }),
    ...(maxPerCustomer !== null && { maxPerCustomer }),
    available: sku.onHand - sku.reserved,
  };
}

/** `found` has one more row than the limit if there is a next page. */
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

/** Names what a reader sees, stock included: 304 must never hide that a seat is gone. */
export function etagOf({ version, onHand, reserved }: Pick<Sku, 'version' | 'onHand' | 'reserved'>): string {
  return `"${version}.${onHand}.${reserved}"`;
}

/** RFC 9110: compared weakly, as a proxy that compresses an answer makes its tag weak. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

/**
 * RFC 9110: `*` asks that the SKU exists; a weak tag never matches. Of the tag only the version of the catalogue data
 * counts: who edits a SKU that sells well would otherwise never succeed.
 */
export function assertIfMatch(ifMatch: string | undefined, sku: Sku | undefined): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (sku && tags.some((tag) => tag === '*' || versionIn(tag) === sku.version)) return;
  const detail = sku ? `The SKU is at version ${sku.version}, read it again` : 'The SKU does not exist';
  throw new DomainError('PRECONDITION_FAILED', detail, sku ? { version: sku.version } : {});
}

/** `"4.100.2"`, or `"4"` as the releases before had it. */
function versionIn(tag: string): number | undefined {
  const [, version] = /^"(\d+)(?:\.\d+\.\d+)?"$/.exec(tag) ?? [];
  return version === undefined ? undefined : Number(version);
}
