import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../infrastructure/database/transaction-runner.js';
import { OrderRepository, OrderRow } from '../../order/order.repository.js';
import { PaymentRepository, PaymentRow } from '../../payment/payment.repository.js';
import { SagaRepository, SagaRow } from '../../saga/saga.repository.js';

export interface Facts {
  readonly order: OrderRow;
  readonly payment: PaymentRow | undefined;
  /** The order's checkout and whatever came after it. */
  readonly sagas: readonly SagaRow[];
  readonly checkout: SagaRow | undefined;
}

/** An order with everything that is at work on it. */
@Injectable()
export class OrderFacts {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly sagas: SagaRepository,
  ) {}

  async of(orderId: string): Promise<Facts | undefined> {
    // Sagas first: of one that is seen to have ended, the payment that is read behind it is the last word.
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
}
