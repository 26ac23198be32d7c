import { z } from 'zod';
import { ONE_LINE } from '../../../common/text.js';
import type { LedgerCharge } from '../payment-gateway.js';
import type { Charge } from './sandbox-charge.repository.js';

export const sandboxChargesQuerySchema = z.object({ orderId: z.string().min(1).max(255).regex(ONE_LINE) });
export type SandboxChargesQuery = z.infer<typeof sandboxChargesQuerySchema>;

/** An id that cannot exist does not exist: 404. */
export const authenticationIdSchema = z.string().transform((id) => (ONE_LINE.test(id) ? id : ''));
export const sandboxChargesSchema = z
  .object({
    items: z.array(
      z
        .object({
          id: z.string(),
          orderId: z.string(),
          amount: z.int().meta({ description: 'In minor units', examples: [1_250] }),
          capturedAmount: z
            .int()
            .meta({ description: 'Less than the amount where a part was captured', examples: [1_250] }),
          refundedAmount: z.int().meta({ examples: [0] }),
          currency: z.string().meta({ examples: ['EUR'] }),
          state: z.string().meta({
            description: '`PENDING`, `AUTHORIZED`, `CAPTURED`, `REFUNDED`, `VOIDED` or `EXPIRED`',
            examples: ['CAPTURED'],
          }),
        })
        .meta({ id: 'SandboxCharge' }),
    ),
  })
  .meta({ id: 'SandboxCharges' });

type SandboxChargeDto = Pick<
  LedgerCharge,
  'id' | 'orderId' | 'amount' | 'capturedAmount' | 'refundedAmount' | 'currency' | 'state'
>;

/** Only charges that moved or blocked money, or still may. A decline is stored for its replay, but is not a charge. */
export interface SandboxChargesDto {
  readonly items: readonly SandboxChargeDto[];
}

export function toSandboxChargesDto(charges: readonly Charge[]): SandboxChargesDto {
  return {
    items: charges.map(({ id, orderId, amount, capturedAmount, refundedAmount, currency, state }) => ({
      id,
      orderId,
      amount,
      capturedAmount,
      refundedAmount,
      currency,
      state,
    })),
  };
}
