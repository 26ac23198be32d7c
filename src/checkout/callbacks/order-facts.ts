import { Inject, Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { OrderRepository, OrderRow } from '../../orders/order.repository.js';
import { PAYMENT_GATEWAY, type PaymentGateway } from '../../payment/gateway/payment-gateway.js';
import { PaymentRepository, PaymentRow } from '../../payment/payment.repository.js';
import { SagaRepository, SagaRow } from '../../saga/saga.repository.js';

export interface Facts {
  readonly order: OrderRow;
  readonly payment: PaymentRow | undefined;
  /** The order's checkout and the sagas after it. */
  readonly sagas: readonly SagaRow[];
  readonly checkout: SagaRow | undefined;
}

const OPEN: ReadonlySet<string> = new Set(['PENDING', 'REQUIRES_ACTION', 'IN_DOUBT']);

/** An order with every saga that works on it. */
@Injectable()
export class OrderFacts {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly sagas: SagaRepository,
  ) {}

  async of(orderId: string): Promise<Facts | undefined> {
    // Sagas are read first: if one has ended, the payment that is read after it is final.
    const [orders, sagas, payments] = await this.transactions.read((db) =>
      Promise.all([
        this.orders.find(db, [orderId]),
        this.sagas.bySubject(db, orderId),
        this.payments.ofOrders(db, [orderId]),
      ]),
    );
    const [order] = orders;
    if (!order) return undefined;
    return { order, payment: payments.get(orderId), sagas, checkout: sagas.find(({ id }) => id === order.sagaId) };
  }

  /**
   * Stores the provider's id of an open charge, so that its saga looks it up by that id. An event alone is not trusted:
   * the provider has to confirm that it is the charge made under our key. Returns whether the id is now known.
   */
  async learnTransaction({ payment }: Facts, transactionId: string, signal: AbortSignal): Promise<boolean> {
    if (!payment || !OPEN.has(payment.state)) return false;
    if (payment.transactionId !== null) return payment.transactionId === transactionId;
    const charge = await this.gateway.retrieveCharge(transactionId, signal);
    if (charge?.idempotencyKey !== payment.idempotencyKey) return false;
    await this.payments.noteTransaction(this.transactions, [{ orderId: payment.orderId, transactionId }]);
    return true;
  }
}
