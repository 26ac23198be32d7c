import { z } from 'zod';

export const customerIdSchema = z.string().min(1).max(200);

export const eraseSchema = z
  .strictObject({
    reason: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .meta({ examples: ['request of 12 May, ticket 4711'] }),
    email: z
      .email()
      .max(320)
      .optional()
      .describe('Also erases the orders of this address, which may have been made without a customer id'),
  })
  .meta({ id: 'EraseCustomer' });
export type EraseBody = z.infer<typeof eraseSchema>;

export const erasureSchema = z
  .object({
    id: z.uuid(),
    orders: z.int().describe('Orders that name nobody any more; their lines, amounts and payments are kept'),
    reservations: z.int(),
    openOrders: z.int().describe('Orders that are still under way: erase again when they have ended'),
    openAccounts: z
      .int()
      .describe('Accounts with money in them, which stay the customer’s: pay it out, then erase again'),
    erasedAt: z.iso.datetime(),
  })
  .meta({ id: 'Erasure' });
export type ErasureView = z.infer<typeof erasureSchema>;
