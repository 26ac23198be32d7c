import { z } from 'zod';
import {
  amountSchema,
  currencySchema,
  MAX_AMOUNT,
  pageSchema,
  skuIdSchema,
  textSchema,
  timeSchema,
} from '../platform/http/fields.js';
import { ENTRY_KINDS } from './account.entity.js';
import type { Account, AccountEntry } from './account.repository.js';

const MAX_PAGE = 200;

export const accountIdSchema = skuIdSchema.meta({
  description: 'The account’s id, of your choice; that of a gift card is chosen by the service',
  examples: ['credit-ada'],
});

export const accountSchema = z
  .strictObject({
    currency: currencySchema,
    customerId: textSchema(200)
      .nullish()
      .meta({ description: 'Who may spend it with a JWT of their own', examples: ['ada'] }),
  })
  .meta({ id: 'AccountRequest', examples: [{ currency: 'EUR', customerId: 'ada' }] });
export type AccountInput = z.infer<typeof accountSchema>;

export const entrySchema = z
  .strictObject({
    amount: z
      .int()
      .min(-MAX_AMOUNT)
      .max(MAX_AMOUNT)
      .refine((amount) => amount !== 0, 'must not be 0')
      .meta({ description: 'In minor units; negative to take it away, never more than is there and not held' }),
    reason: textSchema(500),
  })
  .meta({ id: 'AccountEntryRequest', examples: [{ amount: 2_000, reason: 'goodwill' }] });
export type EntryInput = z.infer<typeof entrySchema>;

export const entryListSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(50),
  cursor: z.uuid().optional().meta({ description: '`nextCursor` of the page before' }),
});
export type EntryListInput = z.infer<typeof entryListSchema>;

export const giftCardSchema = z
  .strictObject({
    amount: z.int().min(1).max(MAX_AMOUNT).meta({ description: 'In minor units' }),
    currency: currencySchema,
  })
  .meta({ id: 'GiftCardRequest', examples: [{ amount: 5_000, currency: 'EUR' }] });
export type GiftCardInput = z.infer<typeof giftCardSchema>;

export const accountResponseSchema = z
  .object({
    id: z.string().meta({ examples: ['credit-ada'] }),
    currency: currencySchema,
    customerId: z.string().optional(),
    isGiftCard: z.boolean().meta({ description: 'Spent by its code' }),
    balance: amountSchema.meta({ description: 'The sum of its entries' }),
    held: amountSchema.meta({
      description: 'Of the balance, held by orders that are not confirmed yet',
      examples: [0],
    }),
    available: amountSchema.meta({ description: 'balance − held' }),
  })
  .meta({ id: 'Account' });

export const entryResponseSchema = z
  .object({
    id: z.uuid(),
    accountId: z.string().meta({ examples: ['credit-ada'] }),
    kind: z.enum(ENTRY_KINDS).meta({ examples: ['ADJUSTMENT'] }),
    amount: z.int().meta({ examples: [2_000] }),
    reason: z.string().meta({ examples: ['goodwill'] }),
    orderId: z.uuid().optional().meta({ description: 'Of a purchase or a refund' }),
    createdAt: timeSchema,
  })
  .meta({ id: 'AccountEntry' });

/** The new entry, with the balance after it. */
export const createdEntrySchema = entryResponseSchema
  .extend({ balance: amountSchema, held: amountSchema, available: amountSchema })
  .meta({ id: 'CreatedAccountEntry' });

export const entryPageSchema = pageSchema(entryResponseSchema, 'AccountEntryPage');

export const giftCardResponseSchema = z
  .object({
    accountId: z.uuid(),
    code: z.string().meta({ description: 'Shown here and never again', examples: ['7KQ2M-9XH4T-PV3C8-ZN6WD'] }),
  })
  .meta({ id: 'GiftCard' });

export function toAccountResponse({ id, currency, customerId, isGiftCard, balance, held }: Account) {
  return {
    id,
    currency,
    ...(customerId !== null && { customerId }),
    isGiftCard,
    ...{ balance, held, available: balance - held },
  };
}
export type AccountResponse = ReturnType<typeof toAccountResponse>;

export function toEntryResponse({ id, accountId, kind, amount, reason, orderId, createdAt }: AccountEntry) {
  const order = orderId !== null && { orderId };
  return { id, accountId, kind, amount, reason, ...order, createdAt: createdAt.toISOString() };
}
export type EntryResponse = ReturnType<typeof toEntryResponse>;
