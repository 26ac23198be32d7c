import type { RefundResult } from '../../payment/gateway/payment-gateway.js';
import { afterAnswer, RefundOrder } from '../../payment/refund.service.js';
import type { StepContext } from '../../saga/step-context.js';

/** What a saga makes of the provider's answer about its refund: settled goes on, anything else is tried again. */
export function takeRefundAnswer<D extends { readonly refund?: RefundOrder }>(
  run: StepContext<D>,
  refund: RefundOrder,
  result: RefundResult,
): void {
  run.note(`refund.${result.kind}`, { refundId: refund.id, amount: refund.amount });
  if (result.kind === 'settled') return;
  run.update({ refund: afterAnswer(refund, result) } as Partial<D>);
  if (result.kind === 'failed') run.retry(`the refund failed: ${result.reason}`);
  else run.retry('the provider is still at work on the refund');
}
