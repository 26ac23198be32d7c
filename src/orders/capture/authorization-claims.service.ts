import { Injectable } from '@nestjs/common';
import type { Authorization } from '../../payment/authorization.service.js';
import { PaymentRepository, type PaymentRow } from '../../payment/payment.repository.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { OPEN_STATES } from '../../saga/saga-state.js';
import { SagaRepository } from '../../saga/saga.repository.js';

interface Wish {
  readonly orderId: string;
  readonly sagaId: string;
}

/** Whether a saga may capture or end an order's authorisation. */
export type Claimable =
  | { readonly kind: 'free'; readonly authorization: Authorization; readonly payment: PaymentRow }
  /** Another saga is about to capture or end it, or does not know what became of that. */
  | { readonly kind: 'busy'; readonly payment: PaymentRow }
  | { readonly kind: 'not-authorized'; readonly payment: PaymentRow | undefined };

/**
 * Who may capture or end an authorisation. One saga at a time, which is named in the payment: a capture and a void that
 * are sent at the same time could each be told by the provider that it was first. The mark of a saga that has ended is void.
 */
@Injectable()
export class AuthorizationClaims {
  constructor(
    private readonly payments: PaymentRepository,
    private readonly sagas: SagaRepository,
  ) {}

  /**
   * Locks the payments. The sagas are read after that: one that has marked a payment is committed with its mark. At most
   * one wish for an order.
   */
  async lock(tx: Tx, wishes: readonly Wish[]): Promise<Map<string, Claimable>> {
    const payments = await this.payments.lock(
      tx,
      wishes.map(({ orderId }) => orderId),
    );
    const busy = await this.openSagas(tx, [...payments.values()]);
    return new Map(wishes.map((wish) => [wish.orderId, claimableBy(wish, payments.get(wish.orderId), busy)]));
  }

  private async openSagas(tx: Tx, payments: readonly PaymentRow[]): Promise<ReadonlySet<string>> {
    const marks = payments.flatMap(({ state, endedBy }) => (state === 'AUTHORIZED' && endedBy ? [endedBy] : []));
    if (marks.length === 0) return new Set();
    const sagas = await this.sagas.find(tx, marks);
    return new Set(sagas.filter(({ state }) => OPEN_STATES.includes(state)).map(({ id }) => id));
  }
}

function claimableBy({ sagaId }: Wish, payment: PaymentRow | undefined, busy: ReadonlySet<string>): Claimable {
  if (payment?.state !== 'AUTHORIZED' || payment.transactionId === null) return { kind: 'not-authorized', payment };
  const { id: paymentId, orderId, transactionId, amount, currency, endedBy } = payment;
  if (endedBy !== null && endedBy !== sagaId && busy.has(endedBy)) return { kind: 'busy', payment };
  return { kind: 'free', payment, authorization: { orderId, paymentId, transactionId, amount, currency } };
}
