import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import {
  type KnownCharge,
  type KnownRefund,
  PAYMENT_GATEWAY,
  type PaymentGateway,
} from '../../payment/gateway/payment-gateway.js';
import { StrayChargeRepository, StrayChargeRow } from '../../payment/stray-charge.repository.js';
import { PaymentRepository } from '../../payment/payment.repository.js';
import { OPEN_STATES } from '../../saga/saga-state.js';
import { SagaRepository } from '../../saga/saga.repository.js';
import { SagaEngine } from '../../saga/engine/saga-engine.service.js';
import type { FailedRefund } from '../refund-failures/failed-refund.js';
import { startOnce } from '../../saga/start-once.js';
import { RefundStraySaga } from './refund-stray.saga.js';
import { RepayStraySaga } from './repay-stray.saga.js';
import { type FoundStray, strayKey } from './stray-data.js';

/** Pays back charges without a payment, at most once each, however often they are found. */
@Injectable()
export class StrayService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
    private readonly strays: StrayChargeRepository,
    private readonly payments: PaymentRepository,
    private readonly sagas: SagaRepository,
    private readonly engine: SagaEngine,
    private readonly saga: RefundStraySaga,
    private readonly repaySaga: RepayStraySaga,
  ) {}

  async isKnown(transactionId: string): Promise<boolean> {
    return (await this.find(transactionId)) !== undefined;
  }

  async isPaidBack(transactionId: string): Promise<boolean> {
    const stray = await this.find(transactionId);
    return stray !== undefined && stray.refundedAmount === stray.amount;
  }

  /**
   * The charge, if the provider itself confirms that it is captured and of this order. An event alone proves nothing.
   */
  async findCaptured(orderId: string, transactionId: string, signal: AbortSignal): Promise<KnownCharge | undefined> {
    const charge = await this.gateway.retrieveCharge(transactionId, signal);
    return charge?.orderId === orderId && charge.result.kind === 'captured' ? charge : undefined;
  }

  /**
   * Voids a charge that was authorised although its order was given up, or is paid by another one. Nothing was taken, so
   * that there is nothing to book; voiding it twice is harmless. False if it is not a stray, or was captured meanwhile.
   */
  async release(orderId: string, transactionId: string, signal: AbortSignal): Promise<boolean> {
    const charge = await this.gateway.retrieveCharge(transactionId, signal);
    if (charge?.orderId !== orderId || charge.state !== 'AUTHORIZED') return false;
    if (await this.isWanted(orderId, transactionId)) return false;
    const { state } = await this.gateway.cancelCharge(
      { orderId, transactionId, idempotencyKey: `void:${transactionId}` },
      signal,
    );
    return state === 'VOIDED' || state === 'EXPIRED';
  }

  /** Sagas are read first: if they have ended, the payment that is read after them is final. */
  private async isWanted(orderId: string, transactionId: string): Promise<boolean> {
    const [sagas, payments] = await this.transactions.read((db) =>
      Promise.all([this.sagas.bySubject(db, orderId), this.payments.ofOrders(db, [orderId])]),
    );
    const payment = payments.get(orderId);
    const isPayment = payment?.transactionId === transactionId && payment.state === 'AUTHORIZED';
    return isPayment || sagas.some(({ state }) => OPEN_STATES.includes(state));
  }

  /** Resolves when the refund's saga is stored. From then on any instance finishes it. */
  payBack(found: FoundStray): Promise<{ ended: Promise<void> }> {
    const ids = { provider: this.gateway.provider, sagaId: newId(), strayId: newId(), attempt: 1 };
    return startOnce(this.engine, this.saga, { ...found, ...ids });
  }

  /** The provider's id of the refund that paid it back, if it is a stray and the id is known. */
  async refundsOf(transactionId: string): Promise<string[]> {
    const stray = await this.find(transactionId);
    return stray?.providerRefundId ? [stray.providerRefundId] : [];
  }

  /** The refund that paid a stray charge back, if it is a stray and the refund is settled here. */
  async findTakenBack(refund: KnownRefund): Promise<FailedRefund | undefined> {
    const { transactionId, result } = refund;
    const stray = await this.find(transactionId);
    const attempt = stray && attemptOf(stray, refund);
    if (!attempt || stray.amount !== stray.refundedAmount || result.kind !== 'failed') return undefined;
    const { id: strayId, provider, orderId, amount, currency } = stray;
    return {
      ...{ orderId, transactionId, amount: refund.amount, reason: result.reason },
      repay: (source) => {
        const owed = { strayId, provider, orderId, transactionId, amount, refundedAmount: amount - refund.amount };
        const failed = { failedRefundId: refund.id, failure: result.reason, source };
        const data = { sagaId: newId(), ...owed, currency, attempt: attempt + 1, ...failed };
        return startOnce(this.engine, this.repaySaga, data);
      },
      isRepaid: () => this.isPaidBack(transactionId),
    };
  }

  private find(transactionId: string) {
    return this.strays.find(this.transactions, this.gateway.provider, transactionId);
  }
}

/** The attempt to pay the stray back, read from its key; undefined if it is not the attempt that settled. */
function attemptOf(stray: StrayChargeRow, { id, idempotencyKey }: KnownRefund): number | undefined {
  if (stray.providerRefundId !== null && stray.providerRefundId !== id) return undefined;
  const attempt = Number(idempotencyKey?.split(':').at(-1));
  const isOurs = idempotencyKey === strayKey({ transactionId: stray.transactionId, attempt });
  return isOurs ? attempt : undefined;
}
