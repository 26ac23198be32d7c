import { Inject, Injectable } from '@nestjs/common';
import { isId } from '../../common/id.js';
import { TimelineRepository } from '../../orders/timeline.repository.js';
import type { Dispute } from '../../payment/dispute.js';
import { type KnownDispute, PAYMENT_GATEWAY, type PaymentGateway } from '../../payment/gateway/payment-gateway.js';
import { PaymentRepository, type PaymentRow } from '../../payment/payment.repository.js';
import type { DomainEventType } from '../../platform/outbox/domain-event.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';

/** A dispute whose state was new to us. */
export interface RecordedDispute extends Dispute {
  readonly orderId: string;
}

/**
 * Records disputes of our payments: visible with the order, published once per change. We move no money upon them: the bank
 * does, and the shop answers it at the provider.
 */
@Injectable()
export class DisputeService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
    private readonly payments: PaymentRepository,
    private readonly outbox: OutboxRepository,
    private readonly timeline: TimelineRepository,
  ) {}

  /** As the provider has it now, whatever an event said: neither the order of events nor their number matters. */
  async look(disputeId: string, signal: AbortSignal): Promise<RecordedDispute | undefined> {
    const known = await this.gateway.retrieveDispute?.(disputeId, signal);
    return known && this.record(known, signal);
  }

  /** Those of a time that no callback told us of. */
  async lookSince(since: Date, signal: AbortSignal): Promise<RecordedDispute[]> {
    const found: RecordedDispute[] = [];
    for await (const page of this.gateway.listDisputes?.(since, signal) ?? []) {
      for (const known of page) {
        const recorded = await this.record(known, signal);
        if (recorded) found.push(recorded);
      }
    }
    return found;
  }

  /** Undefined if it is not ours, or known already. */
  private async record(known: KnownDispute, signal: AbortSignal): Promise<RecordedDispute | undefined> {
    const charge = await this.gateway.retrieveCharge(known.transactionId, signal);
    if (!charge || !isId(charge.orderId)) return undefined;
    const { orderId } = charge;
    return this.transactions.run(async (tx) => {
      const payment = (await this.payments.lock(tx, [orderId])).get(orderId);
      if (!payment || !isNews(payment, known)) return undefined;
      const dispute = disputeOf(known);
      this.payments.dispute(tx, orderId, dispute);
      this.publish(tx, payment, dispute);
      return { orderId, ...dispute };
    });
  }

  private publish(tx: Tx, { id: paymentId, orderId, transactionId, dispute: before }: PaymentRow, now: Dispute): void {
    const isSame = before?.id === now.id && before.state === now.state;
    const type: DomainEventType = now.state === 'OPEN' ? 'payment.disputed' : 'payment.dispute_closed';
    const { id: disputeId, state, amount, currency, reason, respondBy } = now;
    const about = { disputeId, amount, currency, reason };
    const detail = now.state === 'OPEN' ? { ...about, respondBy } : { ...about, outcome: state };
    this.timeline.append(tx, [{ orderId, kind: isSame ? 'payment.dispute_updated' : type, detail }]);
    const payload = { orderId, paymentId, transactionId, ...detail };
    if (!isSame) this.outbox.append(tx, [{ type, subject: orderId, payload }]);
  }
}

/** Of two disputes of one charge the newer counts. */
function isNews({ transactionId, dispute: before }: PaymentRow, known: KnownDispute): boolean {
  if (transactionId !== known.transactionId) return false;
  if (!before) return true;
  if (before.id !== known.id) return before.openedAt <= known.openedAt;
  return before.state !== known.state || before.respondBy !== known.respondBy || before.amount !== known.amount;
}

function disputeOf({ id, state, amount, currency, reason, respondBy, openedAt }: KnownDispute): Dispute {
  return { id, state, amount, currency, reason, ...(respondBy && { respondBy }), openedAt };
}
