import { Injectable } from '@nestjs/common';
import { PAYMENT_LOCK, paymentKey } from '../../lock/lock-keys.js';
import { AuthorizationRepository } from '../../payment/authorization.repository.js';
import type { Authorization } from '../../payment/authorization.service.js';
import type { PaymentRow } from '../../payment/payment.repository.js';
import { DatabaseClock } from '../../platform/postgres/database-clock.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { LocalAction, SagaStep } from '../../saga/saga-definition.js';
import { AlreadyHandledError } from '../../saga/start-once.js';
import type { StepContext } from '../../saga/step-context.js';
import { OrderRepository } from '../order.repository.js';
import { LOCAL_RETRY } from '../retry-policies.js';
import { AuthorizationClaims } from './authorization-claims.service.js';

export interface ClosingData {
  readonly sagaId: string;
  readonly orderId: string;
  /** `expired`: our time is over, and it is ended at the provider. `provider`: the provider says that it has ended. */
  readonly cause: 'expired' | 'provider';
  readonly source: 'job' | 'callback' | 'reconciliation';
  readonly authorization?: Authorization | undefined;
}

/** Makes an authorisation this saga's to close, or leaves nothing where it has ended or somebody else is at it. */
@Injectable()
export class ClaimAuthorizationStep implements SagaStep<ClosingData> {
  readonly name = 'claim-authorization';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<ClosingData> = {
    kind: 'local',
    locks: { keys: ({ orderId }) => [paymentKey(orderId)], terms: PAYMENT_LOCK },
    run: (tx, batch) => this.claim(tx, batch),
  };

  constructor(
    private readonly claims: AuthorizationClaims,
    private readonly authorizations: AuthorizationRepository,
    private readonly orders: OrderRepository,
    private readonly clock: DatabaseClock,
  ) {}

  /** The authorisation of an order that is not confirmed belongs to its checkout. */
  private async claim(tx: Tx, batch: readonly StepContext<ClosingData>[]): Promise<void> {
    const firsts = new Map(batch.toReversed().map((run) => [run.data.orderId, run]));
    const found = await this.claims.lock(
      tx,
      [...firsts.values()].map(({ data }) => data),
    );
    const orders = await this.orders.find(tx, [...firsts.keys()]);
    const confirmed = new Set(orders.filter(({ state }) => state === 'CONFIRMED').map(({ id }) => id));
    for (const run of batch) {
      const { orderId, sagaId, cause, source } = run.data;
      const claimable = found.get(orderId);
      const isDue = claimable?.payment && (cause === 'provider' || this.isOver(claimable.payment));
      if (claimable?.kind !== 'free' || !isDue || !confirmed.has(orderId) || firsts.get(orderId) !== run) {
        run.abandon(new AlreadyHandledError(`the authorisation of order ${orderId} is not to be closed`));
        continue;
      }
      this.authorizations.claim(tx, [{ orderId, sagaId }]);
      run.update({ authorization: claimable.authorization });
      run.note('authorization.closing', { cause, source });
    }
  }

  private isOver({ authorizedUntil }: PaymentRow): boolean {
    return authorizedUntil !== null && authorizedUntil <= this.clock.now();
  }
}
