import { Inject, Injectable } from '@nestjs/common';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import { OutboxRepository } from '../platform/outbox/outbox.repository.js';
import {
  GatewayUnknownError,
  PAYMENT_GATEWAY,
  type PaymentGateway,
  type RefundRequest,
  RefundResult,
} from './gateway/payment-gateway.js';
import { RefundRepository, RefundRequestRow } from './refund.repository.js';

/** A refund under way: the data that the provider gets, stable across crashes. */
export interface RefundOrder {
  readonly id: string;
  readonly orderId: string;
  readonly transactionId: string;
  readonly amount: number;
  readonly currency: string;
  /** Part of the provider's key: raised after a definite failure, and only then. */
  readonly attempt: number;
  /** The provider's id, once it is known: from then on the refund is looked up and never sent again. */
  readonly providerRefundId?: string | undefined;
}

/** How to ask for a refund: under its key, or by the provider's own id. */
export type RefundSending = RefundRequest & Pick<RefundOrder, 'providerRefundId'>;

/**
 * The next request after the provider's answer: a failed refund is sent again under a new key, any other is looked up
 * by its id.
 */
export function afterAnswer<R extends Pick<RefundOrder, 'attempt' | 'providerRefundId'>>(
  refund: R,
  result: RefundResult,
): R {
  return result.kind === 'failed'
    ? { ...refund, attempt: refund.attempt + 1, providerRefundId: undefined }
    : { ...refund, providerRefundId: result.refundId };
}

@Injectable()
export class RefundService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly refunds: RefundRepository,
    private readonly outbox: OutboxRepository,
  ) {}

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

  /** The refunds that are not settled, as the provider knows them. */
  async open(db: Queryable, ids: readonly string[]): Promise<Map<string, RefundOrder>> {
    if (ids.length === 0) return new Map();
    const rows = await this.refunds.find(db, ids);
    const open = rows.filter(({ state }) => state === 'PENDING' || state === 'IN_DOUBT');
    return new Map(
      open.map(({ id, orderId, transactionId, amount, currency, attempt, providerRefundId }) => [
        id,
        {
          ...{ id, orderId, transactionId, amount, currency, attempt },
          ...(providerRefundId !== null && { providerRefundId }),
        },
      ]),
    );
  }

  perform(refund: RefundOrder, signal: AbortSignal): Promise<RefundResult> {
    return this.send(sendingOf(refund), signal);
  }

  lookUp(refund: RefundOrder, signal: AbortSignal): Promise<RefundResult | undefined> {
    return this.find(sendingOf(refund), signal);
  }

  /** Once the provider has given a refund an id, sending it again could only create a second one. */
  async send(refund: RefundSending, signal: AbortSignal): Promise<RefundResult> {
    const { providerRefundId, ...request } = refund;
    return providerRefundId === undefined
      ? this.gateway.refund(request, signal)
      : this.retrieve(providerRefundId, signal);
  }

  /**
   * Undefined: the provider has none, and it may be sent under this key, however old the key is. A request that was
   * sent long ago has arrived and would be among the charge's refunds; one that was sent lately is merged by the key.
   */
  async find(refund: RefundSending, signal: AbortSignal): Promise<RefundResult | undefined> {
    const { providerRefundId } = refund;
    return providerRefundId === undefined
      ? this.gateway.lookupRefund(refund, signal)
      : this.retrieve(providerRefundId, signal);
  }

  doubt(tx: Tx, refunds: readonly RefundOrder[]): Promise<void> {
    return this.refunds.doubt(
      tx,
      refunds.map((refund) => refund.id),
    );
  }

  /** Stores the provider's answer. When this returns, a failed refund is PENDING again under a new key. */
  async record(tx: Tx, answers: readonly { refund: RefundOrder; result: RefundResult }[]): Promise<void> {
    const settled = answers.flatMap(({ refund, result }) =>
      result.kind === 'settled' ? [{ id: refund.id, providerRefundId: result.refundId }] : [],
    );
    const failed = answers.flatMap(({ refund, result }) =>
      result.kind === 'failed' ? [{ id: refund.id, failure: result.reason }] : [],
    );
    this.refunds.note(
      tx,
      answers.flatMap(({ refund, result }) =>
        result.kind === 'processing' ? [{ id: refund.id, providerRefundId: result.refundId }] : [],
      ),
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

  private async retrieve(refundId: string, signal: AbortSignal): Promise<RefundResult> {
    const known = await this.gateway.retrieveRefund(refundId, signal);
    if (!known) throw new GatewayUnknownError(`the provider does not know its refund ${refundId}`);
    return known.result;
  }
}

function sendingOf({ id, attempt, ...refund }: RefundOrder): RefundSending {
  return { ...refund, idempotencyKey: `refund:${id}:${attempt}` };
}
