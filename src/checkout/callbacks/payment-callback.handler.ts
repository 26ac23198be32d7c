import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { TimelineRepository } from '../../orders/timeline.repository.js';
import type { CallbackEvent } from '../../payment/gateway/payment-gateway.js';
import type { CallbackHandler, WebhookVerdict } from '../../payment/callbacks/callback-handler.js';
import { SagaOperatorService } from '../../saga/operator/saga-operator.service.js';
import { SagaRecoveryJob } from '../../saga/saga-recovery.job.js';
import { traceOf } from '../../saga/saga-trace.js';
import { StrayService } from '../../audit/strays/stray.service.js';
import { DisputeService } from '../../audit/disputes/dispute.service.js';
import { AuthorizationCallbackHandler } from './authorization-callback.handler.js';
import { Facts, OrderFacts } from './order-facts.js';
import { RefundCallbackHandler } from './refund-callback.handler.js';
import { Effect, later } from './callback-effect.js';

/**
 * An event is a hint, not a fact: it wakes the saga, which asks the provider. So neither the order of events nor their
 * number matters, and an event that comes before its order has settled is tried again.
 */
@Injectable()
export class PaymentCallbackHandler implements CallbackHandler {
  constructor(
    private readonly facts: OrderFacts,
    private readonly recovery: SagaRecoveryJob,
    private readonly operator: SagaOperatorService,
    private readonly strays: StrayService,
    private readonly refunds: RefundCallbackHandler,
    private readonly authorizations: AuthorizationCallbackHandler,
    private readonly disputes: DisputeService,
    private readonly timeline: TimelineRepository,
  ) {}

  async handle(event: CallbackEvent, signal: AbortSignal): Promise<WebhookVerdict> {
    if (event.disputeId !== undefined) return this.dispute(event.disputeId, signal);
    const { orderId } = event;
    // Others may charge through the same account.
    if (orderId === undefined || !z.uuid().safeParse(orderId).success) return { kind: 'done' };
    const facts = await this.facts.of(orderId);
    if (!facts) return later('the order is not known');
    const effect = event.type.startsWith('charge.')
      ? await this.charge(event, facts, signal)
      : await this.refunds.handle(event, facts, signal);
    if (typeof effect !== 'string') return effect;
    const { id: eventId, type, transactionId } = event;
    const note = { orderId, kind: 'callback.received', detail: { type, eventId, transactionId, effect } };
    const trace = facts.checkout && traceOf(facts.checkout.log);
    return { kind: 'done', record: (tx) => this.timeline.append(tx, [note]), trace };
  }

  /** An event about a dispute does not say whose it is. What it does is recorded with its payment, in the timeline too. */
  private async dispute(disputeId: string, signal: AbortSignal): Promise<WebhookVerdict> {
    await this.disputes.look(disputeId, signal);
    return { kind: 'done' };
  }

  private async charge(event: CallbackEvent, facts: Facts, signal: AbortSignal): Promise<Effect | WebhookVerdict> {
    const { payment, checkout } = facts;
    const isPayment = payment?.transactionId === event.transactionId;
    if (isPayment && (payment.state === 'CAPTURED' || payment.state === 'REFUNDED')) return 'known';
    if (isPayment && payment.state === 'AUTHORIZED') return this.authorizations.ended(event, facts);
    switch (checkout?.state) {
      case 'WAITING':
        await this.facts.learnTransaction(facts, event.transactionId, signal);
        return (await this.recovery.wake(checkout.id)) ? 'woken' : later('the saga has just moved on');
      case 'RUNNING':
      case 'COMPENSATING':
        if (payment?.state === 'IN_DOUBT') await this.facts.learnTransaction(facts, event.transactionId, signal);
        return later('the saga is at work');
      case 'STUCK':
        return this.unstick(event, facts, signal);
      case 'COMPLETED':
      case 'COMPENSATED':
      case 'RESOLVED':
      case undefined:
        if (event.type === 'charge.authorized') return this.authorizations.stray(event, facts, signal);
        return event.type === 'charge.captured' ? this.stray(event, facts, signal) : 'known';
    }
  }

  /** A checkout that is stuck because nobody knew the result of its charge: now the provider knows it. */
  private async unstick(event: CallbackEvent, facts: Facts, signal: AbortSignal): Promise<Effect> {
    const { checkout } = facts;
    if (!checkout || !(await this.facts.learnTransaction(facts, event.transactionId, signal)))
      return 'left-to-operator';
    const reason = `the provider announced ${event.type}`;
    await this.operator.apply(checkout.id, 'retry', { actor: 'callback', reason });
    return 'retried';
  }

  /** The order was given up, or is paid by another charge: this money is paid back. */
  private async stray(event: CallbackEvent, facts: Facts, signal: AbortSignal): Promise<Effect | WebhookVerdict> {
    const { transactionId } = event;
    if (await this.strays.isKnown(transactionId)) return 'known';
    const charge = await this.strays.findCaptured(facts.order.id, transactionId, signal);
    if (!charge) return later('the provider does not confirm that this charge is captured');
    const { orderId, capturedAmount: amount, refundedAmount, currency } = charge;
    await this.strays.payBack({ orderId, transactionId, amount, refundedAmount, currency, source: 'callback' });
    return 'refunding';
  }
}
