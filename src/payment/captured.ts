import type { PaymentEntity } from './payment.entity.js';

type Charged = Pick<PaymentEntity, 'state' | 'amount' | 'capturedAmount'>;

/** What the provider has taken, refunded or not: the one place that knows it. */
export function capturedOf({ state, amount, capturedAmount }: Charged): number {
  return state === 'CAPTURED' || state === 'REFUNDED' ? (capturedAmount ?? amount) : 0;
}

/** The same in SQL, for a row of `payments` that is CAPTURED or REFUNDED. */
export const CAPTURED = 'coalesce(payments.captured_amount, payments.amount)';

/** What can still be refunded: what was captured and not set aside for a refund. */
export function refundableOf(payment: Charged & Pick<PaymentEntity, 'refundReserved'>): number {
  return payment.state === 'CAPTURED' ? capturedOf(payment) - payment.refundReserved : 0;
}
