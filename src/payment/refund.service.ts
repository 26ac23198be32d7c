import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../common/id.js';
import type { Queryable, Tx } from '../infrastructure/database/tx.js';
import { OutboxRepository } from '../infrastructure/outbox/outbox.repository.js';
import { PAYMENT_GATEWAY, type PaymentGateway, RefundResult } from './gateway/payment-gateway.js';
import { RefundRepository, RefundRequestRow } from './refund.repository.js';

/** A refund on its way: what the provider needs to hear, stable across crashes. */
export interface RefundOrder {
  readonly id: string;
  readonly orderId: string;
  readonly transactionId: string;
  readonly amount: number;
  readonly currency: string;
  /** Rotates the provider's key after a definite failure, and only then. */
  readonly attempt: number;
}

@Injectable()
export class RefundService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly refunds: RefundRepository,
    private readonly outbox: OutboxRepository,
  ) {}

  newId(): string {
    return newId();
  }

  /** One refund per payment and statement: of two for one order the second must see what the first set aside. */
  async request(
    tx: Tx,
    requests: readonly RefundRequestRow[],
  ): Promise<Map<string, { amount: number; createdAt: Date }>> {
    const granted = new Map<string, { amount: number; createdAt: Date }>();
    for (let waiting = [...requests]; waiting.length > 0;) {
      const wave = new Map(waiting.map((request) => [request.orderId, request]));
      for (const [id, row] of await this.refunds.request(tx, [...wave.values()])) granted.set(id, row);
      waiting = waiting.filter((request) => wave.get(request.orderId) !== request);
    }
    return granted;
  }

  /** Those of them that are not settled, as their provider knows them. */
  async open(db: Queryable, ids: readonly string[]): Promise<Map<string, RefundOrder>> {
    if (ids.length === 0) return new Map();
    const rows = await this.refunds.find(db, ids);
    const open = rows.filter(({ state }) => state === 'PENDING' || state === 'IN_DOUBT');
    return new Map(
      open.map(({ id, orderId, transactionId, amount, currency, attempt }) => [
        id,
        { id, orderId, transactionId, amount, currency, attempt },
      ]),
    );
  }

  perform(refund: RefundOrder, signal: AbortSignal): Promise<RefundResult> {
    const { orderId, transactionId, amount, currency } = refund;
    return this.gateway.refund({ idempotencyKey: keyOf(refund), orderId, transactionId, amount, currency }, signal);
  }

  lookUp(refund: RefundOrder, signal: AbortSignal): Promise<RefundResult | undefined> {
    const { orderId, transactionId } = refund;
    return this.gateway.lookupRefund({ idempotencyKey: keyOf(refund), orderId, transactionId }, signal);
  }

  doubt(tx: Tx, refunds: readonly RefundOrder[]): Promise<void> {
    return this.refunds.doubt(
      tx,
      refunds.map((refund) => refund.id),
    );
  }

  /** Stores what the provider said. A failed refund is PENDING again, under a new key, when this returns. */
  async record(tx: Tx, answers: readonly { refund: RefundOrder; result: RefundResult }[]): Promise<void> {
    const settled = answers.flatMap(({ refund, result }) =>
      result.kind === 'settled' ? [{ id: refund.id, providerRefundId: result.refundId }] : [],
    );
    const failed = answers.flatMap(({ refund, result }) =>
      result.kind === 'failed' ? [{ id: refund.id, failure: result.reason }] : [],
    );
    const landed = await this.refunds.settle(tx, settled);
    this.outbox.append(
      tx,
      [...landed].map(([refundId, { orderId, amount }]) => ({
        type: 'refund.settled',
        subject: orderId,
        payload: { orderId, refundId, amount },
      })),
    );
    if (failed.length === 0) return;
    await this.refunds.fail(tx, failed);
    await this.refunds.retry(
      tx,
      failed.map((refund) => refund.id),
    );
  }
}

function keyOf(refund: RefundOrder): string {
  return `refund:${refund.id}:${refund.attempt}`;
}
