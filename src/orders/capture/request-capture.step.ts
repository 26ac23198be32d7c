import { Injectable } from '@nestjs/common';
import { PAYMENT_LOCK, paymentKey } from '../../lock/lock-keys.js';
import { AuthorizationRepository } from '../../payment/authorization.repository.js';
import type { Authorization } from '../../payment/authorization.service.js';
import { AuditTrail } from '../../platform/audit-trail/audit-trail.js';
import type { Operator } from '../../platform/audit-trail/operator.js';
import { IdempotencyRepository } from '../../platform/idempotency/idempotency.repository.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { LocalAction, SagaStep, Stage } from '../../saga/saga-definition.js';
import type { SagaFailure } from '../../saga/saga.errors.js';
import type { StepContext } from '../../saga/step-context.js';
import { type ClaimedKey, claimKeys } from '../claim-keys.js';
import { OrderRepository, type OrderRow } from '../order.repository.js';
import { LOCAL_RETRY } from '../retry-policies.js';
import { AuthorizationClaims, type Claimable } from './authorization-claims.service.js';

export interface CaptureData {
  readonly sagaId: string;
  readonly orderId: string;
  readonly key?: ClaimedKey | undefined;
  /** null: all that is authorised. */
  readonly amount: number | null;
  readonly operator: Operator;
  /** Once it is granted. */
  readonly capture?: CaptureOrder | undefined;
}

/** A capture under way: what the provider gets, stable across crashes. */
export interface CaptureOrder extends Authorization {
  /** How much of the authorised amount is taken. */
  readonly captureAmount: number;
  /** Part of the provider's key: raised after every answer that was lost. */
  readonly attempt: number;
}

type Run = StepContext<CaptureData>;

/** Makes an authorisation this saga's to capture, so that nobody else captures, voids or closes it meanwhile. */
@Injectable()
export class RequestCaptureStep implements SagaStep<CaptureData> {
  readonly name = 'request-capture';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<CaptureData> = {
    kind: 'local',
    locks: { keys: ({ orderId }) => [paymentKey(orderId)], terms: PAYMENT_LOCK },
    run: (tx, batch, stage) => this.request(tx, batch, stage),
  };

  constructor(
    private readonly keys: IdempotencyRepository,
    private readonly orders: OrderRepository,
    private readonly claims: AuthorizationClaims,
    private readonly authorizations: AuthorizationRepository,
    private readonly trail: AuditTrail,
  ) {}

  private async request(tx: Tx, batch: readonly Run[], stage: Stage): Promise<void> {
    const claimed = await claimKeys(this.keys, tx, batch, stage);
    if (claimed.length === 0) return;
    // Of several captures of one order in a batch the first is granted, and the others find it busy.
    const firsts = new Map(claimed.toReversed().map((run) => [run.data.orderId, run]));
    const found = await this.claims.lock(
      tx,
      [...firsts.values()].map(({ data }) => data),
    );
    const orders = await this.orders.find(tx, [...firsts.keys()]);
    for (const run of claimed) {
      const { orderId } = run.data;
      const order = orders.find(({ id }) => id === orderId);
      const claimable = found.get(orderId);
      const refusal = refusalOf(run.data, order, claimable, firsts.get(orderId) === run);
      if (refusal) run.fail(refusal);
      else if (claimable?.kind === 'free') this.grant(tx, run, claimable.authorization);
    }
  }

  private grant(tx: Tx, run: Run, authorization: Authorization): void {
    const { orderId, sagaId, operator, amount } = run.data;
    const captureAmount = amount ?? authorization.amount;
    this.authorizations.claim(tx, [{ orderId, sagaId }]);
    run.update({ capture: { ...authorization, captureAmount, attempt: 1 } });
    const detail = { amount: captureAmount, authorized: authorization.amount, currency: authorization.currency };
    run.note('capture.requested', { ...detail, actor: operator.actor });
    this.trail.append(tx, operator, { verb: 'capture', subjectKind: 'order', subject: orderId, orderId, detail });
  }
}

function refusalOf(
  { amount }: CaptureData,
  order: OrderRow | undefined,
  claimable: Claimable | undefined,
  isFirst: boolean,
): SagaFailure | undefined {
  const payment = claimable?.payment;
  const state = payment?.state ?? order?.state ?? 'NONE';
  const invalid = (detail: string): SagaFailure => ({ code: 'INVALID_STATE', detail, details: { state } });
  if (claimable?.kind === 'busy' || (claimable?.kind === 'free' && !isFirst))
    return invalid('The authorisation is being captured or ended');
  if (claimable?.kind !== 'free') return invalid(`The payment is ${state}: only what is AUTHORIZED can be captured`);
  if (order?.state !== 'CONFIRMED') return invalid(`The order is ${order?.state ?? 'not there'}, not CONFIRMED`);
  const { amount: authorized } = claimable.authorization;
  if (amount === null || amount <= authorized) return undefined;
  const detail = `At most ${authorized} can be captured`;
  return { code: 'CAPTURE_EXCEEDS_AUTHORIZED', detail, details: { authorized } };
}
