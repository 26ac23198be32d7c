import { Injectable } from '@nestjs/common';
import { StrayService } from '../../audit/strays/stray.service.js';
import { AuthorizationCloser } from '../../orders/capture/authorization-closer.service.js';
import type { WebhookVerdict } from '../../payment/callbacks/callback-handler.js';
import type { CallbackEvent } from '../../payment/gateway/payment-gateway.js';
import { SagaOperatorService } from '../../saga/operator/saga-operator.service.js';
import { Effect, later } from './callback-effect.js';
import type { Facts } from './order-facts.js';

/** What the provider says about authorisations, beside what our own sagas ask it. */
@Injectable()
export class AuthorizationCallbackHandler {
  constructor(
    private readonly closer: AuthorizationCloser,
    private readonly operator: SagaOperatorService,
    private readonly strays: StrayService,
  ) {}

  /**
   * Of a payment that is AUTHORIZED here. That it was captured or has ended is what our own saga is about to record, or
   * what nobody told us before: somebody has captured or voided it at the provider, or its time is over there.
   */
  async ended(event: CallbackEvent, { order, sagas }: Facts): Promise<Effect | WebhookVerdict> {
    if (event.type === 'charge.authorized') return 'known';
    const isAtWork = sagas.some(({ state }) => state === 'RUNNING' || state === 'COMPENSATING' || state === 'WAITING');
    if (isAtWork) return later('a saga of the order is at work');
    const stuck = sagas.filter(({ state, phase }) => state === 'STUCK' && phase.endsWith('call'));
    const operator = { actor: 'callback', reason: `the provider announced ${event.type}` };
    for (const saga of stuck) await this.operator.apply(saga.id, 'retry', operator);
    if (stuck.length > 0) return 'retried';
    await this.closer.close(order.id, 'provider', 'callback');
    return 'closing';
  }

  /** The order was given up, or is paid by another charge: the amount is not kept from the customer. */
  async stray(event: CallbackEvent, { order }: Facts, signal: AbortSignal): Promise<Effect> {
    return (await this.strays.release(order.id, event.transactionId, signal)) ? 'voided' : 'known';
  }
}
