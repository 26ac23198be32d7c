import type { RefundResult } from '../../payment/gateway/payment-gateway.js';
import { afterAnswer, type RefundOrder } from '../../payment/refund.service.js';
import type { StepContext } from '../../saga/step-context.js';

type Answered = Pick<RefundOrder, 'attempt' | 'providerRefundId'> & {
  readonly refundId: string;
  readonly amount: number;
};

/**
 * What a saga makes of the provider's answer about a refund: settled goes on, anything else is tried again, with what
 * `remember` keeps of the answer. Every step that pays back goes through here, after the answer is in our books.
 */
export function takeRefundAnswer<D>(
  run: StepContext<D>,
  refund: Answered,
  result: RefundResult,
  remember: (next: Pick<RefundOrder, 'attempt' | 'providerRefundId'>) => Partial<D>,
): void {
  const { refundId, amount, attempt, providerRefundId } = refund;
  run.note(`refund.${result.kind}`, { refundId, amount });
  if (result.kind === 'settled') return;
  run.update(remember(afterAnswer({ attempt, providerRefundId }, result)));
  if (result.kind === 'failed') run.retry(`the refund failed: ${result.reason}`);
  else run.retry('the provider is still at work on the refund');
}

/** The same where the saga carries its refund as `refund`. */
export function takeAnswerOf<D extends { readonly refund?: RefundOrder }>(
  run: StepContext<D>,
  refund: RefundOrder,
  result: RefundResult,
): void {
  takeRefundAnswer<{ readonly refund?: RefundOrder }>(run, { ...refund, refundId: refund.id }, result, (next) => ({
    refund: { ...refund, ...next },
  }));
}
