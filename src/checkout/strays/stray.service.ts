import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { TransactionRunner } from '../../infrastructure/database/transaction-runner.js';
import type { OrderRow } from '../../order/order.repository.js';
import { PAYMENT_GATEWAY, type PaymentGateway } from '../../payment/gateway/payment-gateway.js';
import { StrayChargeRepository } from '../../payment/stray-charge.repository.js';
import { SagaEngine } from '../../saga/saga-engine.service.js';
import { SagaHandedOverError } from '../../saga/saga.errors.js';
import { chargeKeyOf } from '../steps/charge-key.js';
import { StrayKnownError } from './record-stray.step.js';
import { RefundStraySaga } from './refund-stray.saga.js';
import type { FoundStray } from './stray-data.js';

/** Pays back what was captured for nothing, at most once per charge, whoever finds it and however often. */
@Injectable()
export class StrayService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
    private readonly strays: StrayChargeRepository,
    private readonly engine: SagaEngine,
    private readonly saga: RefundStraySaga,
  ) {}

  async isKnown(transactionId: string): Promise<boolean> {
    return (await this.find(transactionId)) !== undefined;
  }

  async isPaidBack(transactionId: string): Promise<boolean> {
    const stray = await this.find(transactionId);
    return stray !== undefined && stray.refundedAmount === stray.amount;
  }

  /** Whether the provider itself says that this charge of the order is captured: an event alone proves nothing. */
  async isCaptured(order: OrderRow, transactionId: string, signal: AbortSignal): Promise<boolean> {
    const request = { orderId: order.id, idempotencyKey: chargeKeyOf(order) };
    const found = await this.gateway.lookupCharge(request, signal);
    return found?.kind === 'captured' && found.transactionId === transactionId;
  }

  /** Resolves when the refund is on its way for good: its saga is stored, and any instance finishes it. */
  async payBack(found: FoundStray): Promise<{ ended: Promise<void> }> {
    const data = { ...found, provider: this.gateway.provider, sagaId: newId(), strayId: newId(), attempt: 1 };
    const ticket = this.engine.start(this.saga, { id: data.sagaId, subject: data.orderId, data });
    const ended = ticket.rested.catch((error: unknown) => {
      if (!(error instanceof StrayKnownError || error instanceof SagaHandedOverError)) throw error;
    });
    ended.catch(() => undefined); // callers that only start it hear of `started`
    await ticket.started.catch((error: unknown) => {
      if (!(error instanceof StrayKnownError)) throw error;
    });
    return { ended };
  }

  private find(transactionId: string) {
    return this.strays.find(this.transactions, this.gateway.provider, transactionId);
  }
}
