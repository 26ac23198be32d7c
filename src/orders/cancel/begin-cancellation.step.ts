import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import { AuditTrail } from '../../platform/audit-trail/audit-trail.js';
import type { Operator } from '../../platform/audit-trail/operator.js';
import { IdempotencyRepository } from '../../platform/idempotency/idempotency.repository.js';
import { paymentKey, REFUND_LOCK, refundKey } from '../../lock/lock-keys.js';
import { AuthorizationRepository } from '../../payment/authorization.repository.js';
import type { Authorization } from '../../payment/authorization.service.js';
import { RefundService } from '../../payment/refund.service.js';
import type { LocalAction, SagaStep, Stage } from '../../saga/saga-definition.js';
import type { SagaFailure } from '../../saga/saga.errors.js';
import type { StepContext } from '../../saga/step-context.js';
import { AuthorizationClaims, type Claimable } from '../capture/authorization-claims.service.js';
import type { OrderLine } from '../order.entity.js';
import { OrderRepository } from '../order.repository.js';
import { CancellationRepository } from './cancellation.repository.js';
import type { ClaimedKey } from '../claim-keys.js';
import { claimKeys } from '../claim-keys.js';
import { LOCAL_RETRY } from '../retry-policies.js';
import type { RefundData } from '../refund/settle-refund.step.js';

export interface CancellationData extends RefundData {
  readonly sagaId: string;
  readonly key?: ClaimedKey | undefined;
  readonly refundId: string;
  readonly actor: string;
  /** Set where an operator asks. */
  readonly operator?: Operator;
  /** Set where a customer asks. */
  readonly withinSeconds?: number | undefined;
  readonly lines: readonly OrderLine[];
  /** Of a payment that is only authorised: it is voided. */
  readonly authorization?: Authorization | undefined;
}

type Run = StepContext<CancellationData>;

const BEING_CAPTURED: SagaFailure = {
  code: 'INVALID_STATE',
  detail: 'The payment of the order is being captured: ask again when that has ended',
  details: { state: 'AUTHORIZED' },
};

/**
 * Marks a CONFIRMED order as this saga's to cancel, and its authorisation as this saga's to void, or sets aside whatever of
 * its payment is not refunded yet.
 */
@Injectable()
export class BeginCancellationStep implements SagaStep<CancellationData> {
  readonly name = 'begin-cancellation';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<CancellationData> = {
    kind: 'local',
    locks: { keys: ({ orderId }) => [paymentKey(orderId), refundKey(orderId)], terms: REFUND_LOCK },
    run: (tx, batch, stage) => this.begin(tx, batch, stage),
  };

  constructor(
    private readonly keys: IdempotencyRepository,
    private readonly orders: OrderRepository,
    private readonly cancellations: CancellationRepository,
    private readonly claims: AuthorizationClaims,
    private readonly authorizations: AuthorizationRepository,
    private readonly refunds: RefundService,
    private readonly trail: AuditTrail,
  ) {}

  private async begin(tx: Tx, batch: readonly Run[], stage: Stage): Promise<void> {
    const claimed = await claimKeys(this.keys, tx, batch, stage);
    if (claimed.length === 0) return;
    const firsts = new Map(claimed.toReversed().map((run) => [run.data.orderId, run]));
    const found = await this.claims.lock(
      tx,
      [...firsts.values()].map(({ data }) => data),
    );
    // What is being captured cannot be voided, and is not captured yet: whoever asks again later gets it refunded.
    for (const run of claimed) if (found.get(run.data.orderId)?.kind === 'busy') run.fail(BEING_CAPTURED);
    const marked = await this.mark(tx, claimed, firsts);
    const begun = claimed.filter((run) => !run.hasVerdict);
    this.claimAuthorizations(tx, begun, found);
    await this.adopt(
      tx,
      begun.flatMap((run) => {
        const refundId = marked.get(run.data.orderId)?.refundId;
        return refundId ? [{ run, refundId }] : [];
      }),
    );
    await this.setAside(
      tx,
      begun.filter(({ data }) => !data.refund && !data.authorization),
      found,
    );
    for (const run of begun) {
      const { actor, operator, orderId, refund, authorization } = run.data;
      run.note('cancellation.begun', { actor });
      const detail = {
        ...(refund && { amount: refund.amount, currency: refund.currency }),
        ...(authorization && { voided: authorization.amount, currency: authorization.currency }),
      };
      if (operator)
        this.trail.append(tx, operator, { verb: 'cancel', subjectKind: 'order', subject: orderId, orderId, detail });
    }
  }

  private async mark(tx: Tx, claimed: readonly Run[], firsts: ReadonlyMap<string, Run>) {
    const free = [...firsts.values()].filter((run) => !run.hasVerdict);
    const marked = await this.cancellations.begin(
      tx,
      free.map(({ data }) => data),
    );
    await this.refuse(
      tx,
      claimed.filter(
        (run) => !run.hasVerdict && (!marked.has(run.data.orderId) || firsts.get(run.data.orderId) !== run),
      ),
    );
    return marked;
  }

  private claimAuthorizations(tx: Tx, begun: readonly Run[], found: ReadonlyMap<string, Claimable>): void {
    for (const run of begun) {
      const { orderId, sagaId } = run.data;
      const claimable = found.get(orderId);
      if (claimable?.kind !== 'free') continue;
      this.authorizations.claim(tx, [{ orderId, sagaId }]);
      run.update({ authorization: claimable.authorization });
    }
  }

  private async refuse(tx: Tx, refused: readonly Run[]): Promise<void> {
    if (refused.length === 0) return;
    const orders = await this.orders.find(
      tx,
      refused.map(({ data }) => data.orderId),
    );
    const states = new Map(orders.map(({ id, state }) => [id, state]));
    for (const run of refused)
      run.fail({
        code: 'INVALID_STATE',
        detail: 'The order is not CONFIRMED, is being cancelled, or may not be any more',
        details: { state: states.get(run.data.orderId) },
      });
  }

  /** The refund of a cancellation that ended before it was settled has all that was left, and may have gone through. */
  private async adopt(tx: Tx, heirs: readonly { run: Run; refundId: string }[]): Promise<void> {
    const open = await this.refunds.open(
      tx,
      heirs.map(({ refundId }) => refundId),
    );
    for (const { run, refundId } of heirs) {
      const refund = open.get(refundId);
      if (refund) run.update({ refundId, refund, isRefundAdopted: true });
    }
  }

  private async setAside(tx: Tx, begun: readonly Run[], found: ReadonlyMap<string, Claimable>): Promise<void> {
    if (begun.length === 0) return;
    const requests = begun.map(({ data }) => ({
      id: data.refundId,
      orderId: data.orderId,
      amount: null,
      reason: 'cancellation',
    }));
    const granted = await this.refunds.request(tx, requests);
    for (const run of begun) {
      const payment = found.get(run.data.orderId)?.payment;
      const grant = granted.get(run.data.refundId);
      if (!grant || !payment?.transactionId) continue; // nothing left to pay back
      const { refundId: id, orderId } = run.data;
      run.update({
        refund: {
          id,
          orderId,
          transactionId: payment.transactionId,
          amount: grant.amount,
          currency: payment.currency,
          attempt: 1,
        },
      });
    }
  }
}
