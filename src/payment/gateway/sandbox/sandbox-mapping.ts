import type { ChargeResult, KnownRefund, LedgerCharge, RefundResult } from '../payment-gateway.js';
import type { Charge } from './sandbox-charge.repository.js';
import type { ChargeOutcome, RefundOutcome } from './sandbox-ledger.service.js';
import { behaviourOf } from './sandbox-methods.js';
import type { RefundOfOrder } from './sandbox-refund.repository.js';

/** The customer authenticates at `url`. */
export function toChargeResult({ id, state, declineCode, method }: ChargeOutcome, url: string): ChargeResult {
  switch (state) {
    case 'CAPTURED':
    case 'REFUNDED':
      return { kind: 'captured', transactionId: id };
    case 'AUTHORIZED':
      return { kind: 'authorized', transactionId: id };
    case 'DECLINED':
      return { kind: 'declined', transactionId: id, declineCode: declineCode ?? 'card_declined' };
    case 'CANCELLED':
    case 'VOIDED':
    case 'EXPIRED':
      return { kind: 'declined', transactionId: id, declineCode: 'cancelled' };
    case 'PENDING':
      if (behaviourOf(method).isProcessing) return { kind: 'processing', transactionId: id };
      return { kind: 'requires_action', transactionId: id, nextAction: { type: 'redirect_to_url', url } };
  }
}

export function toLedgerCharge(charge: Charge): LedgerCharge {
  const {
    id,
    key: idempotencyKey,
    orderId,
    amount,
    capturedAmount,
    refundedAmount,
    currency,
    state,
    createdAt,
  } = charge;
  return { id, idempotencyKey, orderId, amount, capturedAmount, refundedAmount, currency, state, createdAt };
}

export function toKnownRefund(refund: RefundOfOrder): KnownRefund {
  const { id, key: idempotencyKey, chargeId: transactionId, orderId, amount } = refund;
  return { id, idempotencyKey, transactionId, orderId, amount, result: toRefundResult(refund) };
}

export function toRefundResult(refund: RefundOutcome): RefundResult {
  if (refund.state === 'FAILED') return { kind: 'failed', reason: refund.reason ?? 'refund_failed' };
  return { kind: 'settled', refundId: refund.id };
}
