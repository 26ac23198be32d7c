import { Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../../common/error-message.js';
import type { Loop } from '../../platform/loops/loop.js';
import { Loops } from '../../platform/loops/loops.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { TimelineRepository } from '../timeline.repository.js';
import { AuthorizationCloser } from './authorization-closer.service.js';
import { AuthorizationExpiryRepository, type ExpiringPayment } from './authorization-expiry.repository.js';

const EVERY_MS = 30_000;
const BATCH = 50;
/** A day: enough for a shop to ship, or to ask the customer for another card. */
const ANNOUNCED_BEFORE_SECONDS = 86_400;

/** Announces authorisations that end within a day, and closes those whose time is over, on every instance. */
@Injectable()
export class AuthorizationExpiryJob {
  private readonly logger = new Logger(AuthorizationExpiryJob.name);
  private readonly loop: Loop;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly expiry: AuthorizationExpiryRepository,
    private readonly closer: AuthorizationCloser,
    private readonly outbox: OutboxRepository,
    private readonly timeline: TimelineRepository,
    loops: Loops,
  ) {
    this.loop = loops.schedule({
      name: 'authorization-expiry',
      pace: { firstMs: EVERY_MS, minMs: EVERY_MS, maxMs: EVERY_MS },
      round: (signal) => this.round(signal),
    });
  }

  runNow(): Promise<void> {
    return this.loop.runNow();
  }

  private async round(signal: AbortSignal): Promise<void> {
    for (let isMore = true; isMore && !signal.aborted;) isMore = (await this.announce()) === BATCH;
    const overdue = await this.expiry.overdue(this.transactions, BATCH);
    for (const orderId of overdue) if (!signal.aborted) await this.close(orderId);
  }

  private announce(): Promise<number> {
    return this.transactions.run(async (tx) => {
      const payments = await this.expiry.announce(tx, ANNOUNCED_BEFORE_SECONDS, BATCH);
      const type = 'payment.authorization_expiring';
      this.outbox.append(
        tx,
        payments.map((payment) => ({ type, subject: payment.orderId, payload: payloadOf(payment) })),
      );
      const notes = payments.map((payment) => {
        const { orderId, ...detail } = payloadOf(payment);
        return { orderId, kind: type, detail };
      });
      if (notes.length > 0) this.timeline.append(tx, notes);
      return payments.length;
    });
  }

  /** One that cannot be closed now must not keep the others open. */
  private async close(orderId: string): Promise<void> {
    try {
      await this.closer.close(orderId, 'expired', 'job');
    } catch (error) {
      this.logger.warn(`the authorisation of order ${orderId} is closed later: ${messageOf(error)}`);
    }
  }
}

function payloadOf(payment: ExpiringPayment) {
  return { ...payment, authorizedUntil: payment.authorizedUntil.toISOString() };
}
