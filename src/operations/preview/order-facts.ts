import type { OrderState } from '../../orders/order-state.js';
import type { PaymentState } from '../../payment/payment-state.js';
import type { ReservationState } from '../../inventory/reservation/reservation.js';
import type { EffectLine } from './effect.js';

/** The present state of an order, its payment and its hold: as much as is needed to predict the effect of a verb. */
export interface OrderFacts {
  readonly orderId: string;
  readonly state: OrderState;
  readonly currency: string;
  readonly total: number;
  readonly lines: readonly EffectLine[];
  readonly customerEmail: string | null;
  readonly createdAt: Date;
  readonly payment: PaymentState | null;
  /** What the card pays, or would pay: charged at once, or authorised first. */
  readonly amount: number;
  readonly captured: number;
  readonly refunded: number;
  /** Requested refunds, whether they are paid back yet or not. */
  readonly refundReserved: number;
  /** The part of the captured amount that was paid back as store credit. */
  readonly credited: number;
  readonly provider: string | null;
  readonly transactionId: string | null;
  readonly hold: ReservationState | null;
  /** What the order has of store credit and gift cards: held, or taken and not given back. */
  readonly credit: number;
  /** What credit paid of the order, whether given back by now or not. */
  readonly creditTaken: number;
}

/** A refund that a saga still has to pay. */
export interface OwedRefund {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
}
