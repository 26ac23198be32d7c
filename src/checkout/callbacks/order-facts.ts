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
    const [orders, payments, sagas] = await Promise.all([
      this.orders.find(this.transactions, [orderId]),
      this.payments.ofOrders(this.transactions, [orderId]),
      this.sagas.bySubject(this.transactions, orderId),
    ]);
    const [order] = orders;
    if (!order) return undefined;
    return { order, payment: payments.get(orderId), sagas, checkout: sagas.find(({ id }) => id === order.sagaId) };
  }
}
