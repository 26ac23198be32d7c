import { z } from 'zod';
import { PROBLEMS } from '../problem.js';

const codes = Object.keys(PROBLEMS).sort() as [string, ...string[]];

/** RFC 9457. Members that only some codes have are optional; clients branch on `code`. */
export const problemSchema = z
  .looseObject({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    code: z.enum(codes).meta({ description: 'Stable: branch on this' }),
    detail: z.string().meta({ description: 'For people; may change' }),
    requestId: z.string().meta({ description: 'Names the request in the logs' }).optional(),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .meta({ description: 'With VALIDATION_FAILED: every field that is wrong' })
      .optional(),
    orderId: z.string().meta({ description: 'The order that was left behind, REJECTED' }).optional(),
    accessToken: z.string().meta({ description: 'Opens that order' }).optional(),
    declineCode: z.string().meta({ description: "The provider's reason" }).optional(),
    shortages: z
      .array(z.object({ sku: z.string(), requested: z.int(), available: z.int() }))
      .meta({ description: 'With OUT_OF_STOCK: what is missing' })
      .optional(),
    skus: z.array(z.string()).meta({ description: 'With SKU_NOT_FOUND: the unknown ones' }).optional(),
    quote: z
      .object({ lines: z.array(z.looseObject({})), total: z.int(), currency: z.string() })
      .meta({ description: 'With PRICE_CHANGED: what it costs now' })
      .optional(),
    reservationId: z.string().optional(),
    reservation: z
      .object({ id: z.string(), state: z.string(), expiresAt: z.iso.datetime(), accessToken: z.string().optional() })
      .meta({
        description: 'With a refused checkout: the hold that is left to the customer, to be bought with another card',
      })
      .optional(),
    state: z.string().meta({ description: 'With INVALID_STATE: the state that does not allow it' }).optional(),
    expiredAt: z.iso.datetime().meta({ description: 'With RESERVATION_EXPIRED: when it ended' }).optional(),
    remainingSeconds: z
      .int()
      .meta({ description: 'With EXTENSION_LIMIT: how much further it could be extended' })
      .optional(),
    retryAfter: z.number().meta({ description: 'Seconds, as in Retry-After' }).optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details. Further members depend on the code.' });
