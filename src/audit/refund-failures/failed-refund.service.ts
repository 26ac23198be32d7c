import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { newId } from '../../common/id.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { type KnownRefund, PAYMENT_GATEWAY, type PaymentGateway } from '../../payment/gateway/payment-gateway.js';
import { RefundRepository } from '../../payment/refund.repository.js';
import { SagaEngine } from '../../saga/engine/saga-engine.service.js';
import { startOnce } from '../../saga/start-once.js';
import { StrayService } from '../strays/stray.service.js';
import type { FailedRefund } from './failed-refund.js';
import { RepayRefundSaga } from './repay-refund.saga.js';

/** Finds refunds that failed after they had settled, and repays each of them once, however often it is found. */
@Injectable()
export class FailedRefundService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
    private readonly refunds: RefundRepository,
    private readonly strays: StrayService,
    private readonly engine: SagaEngine,
    private readonly saga: RepayRefundSaga,
  ) {}

  /** Of the refunds that the provider reports as failed, those that are SETTLED here. */
  async among(failed: readonly KnownRefund[]): Promise<FailedRefund[]> {
    const ours = failed.filter(({ orderId, result }) => result.kind === 'failed' && isOrderId(orderId));
    if (ours.length === 0) return [];
    const orderIds = [...new Set(ours.flatMap(({ orderId }) => orderId ?? []))];
    const rows = await this.refunds.settled(this.transactions, this.gateway.provider, orderIds);
    const settled = new Map(rows.map((row) => [row.providerRefundId, row]));
    const found: FailedRefund[] = [];
    for (const refund of ours) {
      const row = settled.get(refund.id);
      const ofOurs = row ? this.ofRefund(row.id, row.orderId, refund) : await this.strays.findTakenBack(refund);
      if (ofOurs) found.push(ofOurs);
    }
    return found;
  }

  /** Asks the provider about every settled refund of a charge: for differences that no list explains. */
  async ofCharge(orderId: string, transactionId: string, signal: AbortSignal): Promise<FailedRefund[]> {
    if (!isOrderId(orderId)) return [];
    const rows = await this.refunds.settled(this.transactions, this.gateway.provider, [orderId]);
    const ids = [...rows.map((row) => row.providerRefundId), ...(await this.strays.refundsOf(transactionId))];
    const known = await Promise.all(ids.map((id) => this.gateway.retrieveRefund(id, signal)));
    return this.among(known.filter((refund) => refund !== undefined));
  }

  private ofRefund(refundId: string, orderId: string, { id: failedRefundId, ...refund }: KnownRefund): FailedRefund {
    const { result } = refund;
    const reason = result.kind === 'failed' ? result.reason : 'refund_failed';
    return {
      ...{ orderId, transactionId: refund.transactionId, amount: refund.amount, reason },
      repay: (source) => {
        const data = { sagaId: newId(), orderId, refundId, failedRefundId, failure: reason, source };
        return startOnce(this.engine, this.saga, data);
      },
      isRepaid: async () => (await this.refunds.find(this.transactions, [refundId]))[0]?.state === 'SETTLED',
    };
  }
}

function isOrderId(orderId: string | undefined): boolean {
  return z.uuid().safeParse(orderId).success;
}
