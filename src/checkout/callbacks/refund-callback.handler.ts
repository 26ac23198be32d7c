import { Inject, Injectable } from '@nestjs/common';
import { PAYMENT_GATEWAY, type PaymentGateway, type CallbackEvent } from '../../payment/gateway/payment-gateway.js';
import type { WebhookVerdict } from '../../payment/callbacks/callback-handler.js';
import { SagaOperatorService } from '../../saga/operator/saga-operator.service.js';
import { FailedRefundService } from '../../audit/refund-failures/failed-refund.service.js';
import { Effect, later } from './callback-effect.js';
import type { Facts } from './order-facts.js';

/** Sagas look up their own refunds. What they cannot see is a refund that fails after it had settled. */
@Injectable()
export class RefundCallbackHandler {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly failedRefunds: FailedRefundService,
    private readonly operator: SagaOperatorService,
  ) {}

  async handle(event: CallbackEvent, facts: Facts, signal: AbortSignal): Promise<Effect | WebhookVerdict> {
    const failure = event.type === 'refund.failed' ? await this.takenBack(event, facts, signal) : undefined;
    return failure ?? this.retryStuck(event, facts);
  }

  private async takenBack(
    { refundId }: CallbackEvent,
    { sagas }: Facts,
    signal: AbortSignal,
  ): Promise<Effect | WebhookVerdict | undefined> {
    if (refundId === undefined) return undefined;
    // A saga may have got "settled" and be about to write it: only after it ended do our rows say which refunds are
    // settled.
    const isAtWork = sagas.some(({ state }) => state === 'RUNNING' || state === 'COMPENSATING');
    if (isAtWork) return later('a saga of the order is at work');
    const refund = await this.gateway.retrieveRefund(refundId, signal);
    if (refund?.result.kind !== 'failed') return later('the provider does not confirm that this refund failed');
    const [failed] = await this.failedRefunds.among([refund]);
    if (!failed) return undefined;
    await failed.repay('callback');
    return 'refunding';
  }

  /** A saga that gave up asking is made to ask again. */
  private async retryStuck({ type }: CallbackEvent, { sagas }: Facts): Promise<Effect> {
    const stuck = sagas.filter(({ state, phase }) => state === 'STUCK' && phase.endsWith('call'));
    const operator = { actor: 'callback', reason: `the provider announced ${type}` };
    for (const saga of stuck) await this.operator.apply(saga.id, 'retry', operator);
    return stuck.length > 0 ? 'retried' : 'known';
  }
}
