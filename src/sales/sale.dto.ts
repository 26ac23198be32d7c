import { z } from 'zod';
import { DomainError } from '../common/domain-error.js';
import { pageSchema, skuIdSchema, textSchema, timeSchema } from '../platform/http/fields.js';
import { type Sale, SALE_STATES, type SaleAudit, saleState, type SaleTerms } from './sale.js';

const MAX_SKUS = 1_000;
const MAX_PAGE = 100;

export const saleIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9:._~-]{0,199}$/, 'letters, digits and : . _ ~ -')
  .meta({ description: 'The sale’s id, of your choice', examples: ['noon'] });

export const saleSchema = z
  .strictObject({
    group: skuIdSchema.optional().meta({ description: 'What is sold: all SKUs of a group' }),
    skus: z.array(skuIdSchema).min(1).max(MAX_SKUS).optional().meta({ description: 'In place of a group' }),
    startsAt: z.iso.datetime({ offset: true }).meta({ description: 'Who comes before takes part in the draw' }),
    endsAt: z.iso.datetime({ offset: true }).nullish().meta({ description: 'From then on nobody needs a ticket' }),
    admitPerSecond: z
      .number()
      .min(0.01)
      .max(10_000)
      .meta({ examples: [10] }),
    maxActive: z
      .int()
      .min(1)
      .max(1_000_000)
      .meta({ description: 'How many may be called and not finished at once', examples: [100] }),
    ticketTtlSeconds: z
      .int()
      .min(1)
      .max(86_400)
      .meta({ description: 'How long somebody who was called may buy', examples: [300] }),
    reason: textSchema(500).optional().meta({ description: 'Why it is set up or changed, for the audit trail' }),
  })
  .refine(({ group, skus }) => (group === undefined) !== (skus === undefined), {
    path: ['group'],
    message: 'send either group or skus',
  })
  .refine(({ startsAt, endsAt }) => endsAt == null || Date.parse(endsAt) > Date.parse(startsAt), {
    path: ['endsAt'],
    message: 'must be after startsAt',
  })
  .meta({
    id: 'SaleRequest',
    examples: [
      {
        group: 'cinema:show:12345',
        startsAt: '2026-11-15T12:00:00Z',
        admitPerSecond: 10,
        maxActive: 100,
        ticketTtlSeconds: 300,
      },
    ],
  });

export type SaleInput = z.infer<typeof saleSchema>;

export const saleListSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(MAX_PAGE),
  cursor: saleIdSchema.optional().meta({ description: '`nextCursor` of the page before' }),
});

export type SaleListInput = z.infer<typeof saleListSchema>;

const count = (description: string) => z.int().meta({ description });

export const saleResponseSchema = z
  .object({
    id: z.string().meta({ examples: ['noon'] }),
    state: z.enum(SALE_STATES),
    group: z.string().optional(),
    skus: z.array(z.string()).optional(),
    startsAt: timeSchema,
    endsAt: timeSchema.nullable(),
    admitPerSecond: z.number(),
    maxActive: z.int(),
    ticketTtlSeconds: z.int(),
    tickets: z.object({
      issued: count('Given out'),
      waiting: count('Not called yet'),
      admitted: count('Called so far'),
      active: count('Of those, who may still buy'),
      bought: count('Of those, who have bought'),
    }),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'Sale' });

export const saleViewSchema = saleResponseSchema
  .extend({
    audit: z
      .array(
        z.object({
          verb: z.string(),
          actor: z.string(),
          detail: z.record(z.string(), z.unknown()),
          createdAt: timeSchema,
        }),
      )
      .optional()
      .meta({ description: 'Who did what to it, newest first; for admins' }),
  })
  .meta({ id: 'SaleView' });

export const salePageSchema = pageSchema(saleResponseSchema, 'SalePage');

export function toTerms(id: string, input: SaleInput): SaleTerms {
  const { group, skus, startsAt, endsAt, admitPerSecond, maxActive, ticketTtlSeconds } = input;
  return {
    id,
    group: group ?? null,
    skus: skus ? [...new Set(skus)] : null,
    startsAt: new Date(startsAt),
    endsAt: endsAt == null ? null : new Date(endsAt),
    ...{ admitPerSecond, maxActive, ticketTtlSeconds },
  };
}

export function toSaleResponse(sale: Sale, now: Date) {
  const { id, group, skus, startsAt, endsAt, admitPerSecond, maxActive, ticketTtlSeconds } = sale;
  const { issued, admitted, active, bought } = sale;
  return {
    id,
    state: saleState(sale, now),
    ...(group !== null && { group }),
    ...(skus !== null && { skus }),
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    admitPerSecond,
    maxActive,
    ticketTtlSeconds,
    tickets: { issued, waiting: issued - admitted, admitted, active, bought },
    createdAt: sale.createdAt.toISOString(),
    updatedAt: sale.updatedAt.toISOString(),
  };
}

export type SaleResponse = ReturnType<typeof toSaleResponse>;

export function toAuditResponse({ createdAt, ...entry }: SaleAudit) {
  return { ...entry, createdAt: createdAt.toISOString() };
}

export class SaleNotFoundError extends DomainError {
  constructor(saleId: string) {
    super('SALE_NOT_FOUND', 'There is no such sale, or the ticket is not of it', { saleId });
  }
}
