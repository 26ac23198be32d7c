import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { TimelineRepository } from '../../order/timeline.repository.js';
import type { WebhookEvent } from '../../payment/gateway/payment-gateway.js';
import type { WebhookHandler, WebhookVerdict } from '../../payment/webhooks/webhook-handler.js';
import { SagaOperatorService } from '../../saga/saga-operator.service.js';
import { SagaRecoveryJob } from '../../saga/saga-recovery.job.js';
import { StrayService } from '../strays/stray.service.js';
import { Facts, OrderFacts } from './order-facts.js';

/** What an event came to, as the order's timeline tells it. */
type Effect = 'known' | 'woken' | 'refunding' | 'retried' | 'left-to-operator';

const later = (reason: string): WebhookVerdict => ({ kind: 'later', reason });

/**
 * An event is a hint, never a fact: it wakes whoever asks the provider. So the order of events does not matter, nor how
 * often one comes, and what comes before its order has settled simply comes again.
 */
@Injectable()
export class PaymentCallbackHandler implements WebhookHandler {
  constructor(
    private readonly facts: OrderFacts,
    private readonly recovery: SagaRecoveryJob,
    private readonly operator: SagaOperatorService,
    private readonly strays: StrayService,
    private readonly timeline: TimelineRepository,
  ) {}

  async handle(event: WebhookEvent, signal: AbortSignal): Promise<WebhookVerdict> {
    const { orderId } = event;
    // Others may charge through the same account.
    if (orderId === undefined || !z.uuid().safeParse(orderId).success) return { kind: 'done' };
    const facts = await this.facts.of(orderId);
    if (!facts) return later('the order is not known');
    const effect = event.type.startsWith('charge.')
      ? await this.charge(event, facts, signal)
      : await this.refund(event, facts);
    if (typeof effect !== 'string') return effect;
    const { id: eventId, type, transactionId } = event;
    const note = { orderId, kind: 'callback.received', detail: { type, eventId, transactionId, effect } };
    return { kind: 'done', record: (tx) => this.timeline.append(tx, [note]) };
  }

  private async charge(event: WebhookEvent, facts: Facts, signal: AbortSignal): Promise<Effect | WebhookVerdict> {
    const { payment, checkout } = facts;
    const isSettled = payment?.state === 'CAPTURED' || payment?.state === 'REFUNDED';
    if (isSettled && payment.transactionId === event.transactionId) return 'known';
    switch (checkout?.state) {
      case 'WAITING':
        return (await this.recovery.wake(checkout.id)) ? 'woken' : later('the saga has just moved on');
      case 'RUNNING':
      case 'COMPENSATING':
        return later('the saga is at work');
      case 'STUCK': // looks the charge up itself when an operator lets it go on
        return 'left-to-operator';
      case 'COMPLETED':
      case 'COMPENSATED':
      case 'RESOLVED':
      case undefined:
        return event.type === 'charge.captured' ? this.stray(event, facts, signal) : 'known';
    }
  }

  /** The order was given up, or is paid by another charge: this money goes back. */
  private async stray(event: WebhookEvent, facts: Facts, signal: AbortSignal): Promise<Effect | WebhookVerdict> {
    const { transactionId } = event;
    if (await this.strays.isKnown(transactionId)) return 'known';
    const { order } = facts;
    if (!(await this.strays.isCaptured(order, transactionId, signal)))
      return later('the provider does not confirm that this charge is captured');
    const { id: orderId, total: amount, currency } = order;
    await this.strays.payBack({
      orderId,
      transactionId,
      amount,
      refundedAmount: 0,
      currency,
      source: 'callback',
    });
    return 'refunding';
  }

  /** Sagas ask for their refunds themselves; one that gave up asking is told to ask again. */
  private async refund(event: WebhookEvent, { sagas }: Facts): Promise<Effect> {
    const stuck = event.type === 'refund.settled' ? sagas.filter(({ state }) => state === 'STUCK') : [];
    for (const saga of stuck)
      await this.operator.apply(saga.id, 'retry', 'callback', `the provider announced ${event.type}`);
    return stuck.length > 0 ? 'retried' : 'known';
  }
}
