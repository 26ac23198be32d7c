import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { customerKeyOf } from '../../balance/allowance.js';
import {
  claimKeys,
  holdKeys,
  type AdoptionVerdict,
  effectiveState,
  type ExceededAllowance,
  type HoldRequest,
} from '../../inventory/reservation/reservation.js';
import { AllowanceExceededError } from '../../inventory/reservation/reservation.errors.js';
import { ReservationAdoptionRepository } from '../../inventory/reservation/reservation-adoption.repository.js';
import { ReservationHandoverRepository } from '../../inventory/reservation/reservation-handover.repository.js';
import { HoldPolicies, usesOf } from '../../inventory/reservation/hold-policy.js';
import { ReservationRepository } from '../../inventory/reservation/reservation.repository.js';
import { STOCK_LOCK } from '../../lock/lock-keys.js';
import type { LocalAction, SagaStep, Stage } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import type { SagaFailure } from '../../saga/saga.errors.js';
import { CheckoutData, claimsOf, isHoldKept, isPlain } from '../checkout-data.js';
import { LOCAL_RETRY } from '../../orders/retry-policies.js';

type Run = StepContext<CheckoutData>;

/** Holds the stock under the locks of all its SKUs, or adopts a hold that the customer made before. */
@Injectable()
export class ReserveInventoryStep implements SagaStep<CheckoutData> {
  readonly name = 'reserve-inventory';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<CheckoutData> = {
    kind: 'local',
    // A hold that exists needs no lock for its stock, which is set aside already.
    locks: {
      keys: (data) => (data.isAdopted ? claimKeys(data.terms?.claims ?? []) : holdKeys(data)),
      terms: STOCK_LOCK,
    },
    // An optimistic attempt asks for nothing before its own statement, so there is nothing to ask for earlier.
    prefetch: (tx, batch, stage) => isOptimisticFor(batch, stage) || this.prefetch(tx, batch),
    run: (tx, batch, stage) => this.reserve(tx, batch, stage),
  };
  readonly compensate: LocalAction<CheckoutData> = { kind: 'local', run: (tx, batch) => this.letGo(tx, batch) };

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly reservations: ReservationRepository,
    private readonly adoptions: ReservationAdoptionRepository,
    private readonly handovers: ReservationHandoverRepository,
    private readonly policies: HoldPolicies,
  ) {}

  private prefetch(tx: Tx, batch: readonly Run[]): void {
    const holding = batch.filter(({ data }) => !data.isAdopted);
    const lines = holding.flatMap(({ data }) => data.lines);
    const claims = holding.flatMap(({ data }) => claimsOf(data));
    this.reservations.prefetch(tx, { lines, claims });
  }

  private async reserve(tx: Tx, batch: readonly Run[], stage: Stage): Promise<void> {
    const { lease } = stage;
    const adopting = batch.filter((run) => run.data.isAdopted);
    const holding = batch.filter((run) => !run.data.isAdopted);
    if (adopting.length > 0) await this.adopt(tx, adopting, stage);
    if (holding.length > 0) await this.hold(tx, holding, lease, isOptimisticFor(batch, stage));
    for (const run of batch) {
      const { reservationId, expiresAt, isAdopted } = run.data;
      const fence = lease && !isAdopted ? Number(lease.token) : undefined;
      if (!run.hasVerdict)
        run.note(isAdopted ? 'reservation.adopted' : 'reservation.held', { reservationId, expiresAt, fence });
    }
  }

  private async hold(tx: Tx, batch: readonly Run[], lease: Stage['lease'], isOptimistic: boolean): Promise<void> {
    const requests = batch.map((run) => this.requestOf(run));
    const verdicts = await this.reservations.hold(tx, requests, lease?.token, isOptimistic);
    const granted = batch.filter((_, index) => verdicts[index]?.kind === 'granted');
    this.policies.use(
      tx,
      granted.flatMap(({ data }) => usesOf(data.reservationId, data.tickets)),
    );
    verdicts.forEach((verdict, index) => {
      const run = batch[index];
      if (verdict.kind === 'granted') run?.update({ versions: undefined, expiresAt: verdict.expiresAt.toISOString() });
      else run?.update({ versions: undefined });
      if (verdict.kind === 'short')
        run?.fail({ code: 'OUT_OF_STOCK', detail: 'Not enough stock', details: { shortages: verdict.shortages } });
      if (verdict.kind === 'exceeded') run?.fail(toFailure(verdict.allowance));
    });
  }

  private async adopt(tx: Tx, batch: readonly Run[], { lease }: Stage): Promise<void> {
    const verdicts = await this.adoptions.adopt(
      tx,
      batch.map(({ data }) => ({ ...data, customer: data.terms && customerKeyOf(data.customer) })),
      lease?.token,
    );
    verdicts.forEach((verdict, index) => {
      const run = batch[index];
      if (verdict.kind === 'adopted') run?.update({ expiresAt: verdict.expiresAt.toISOString() });
      else run?.fail(refusalOf(run.data.reservationId, verdict));
    });
  }

  private async letGo(tx: Tx, batch: readonly Run[]): Promise<void> {
    const kept = batch.filter(({ data }) => isHoldKept(data));
    const freed = batch.filter(({ data }) => !isHoldKept(data));
    if (kept.length > 0) await this.giveBack(tx, kept);
    if (freed.length > 0) await this.release(tx, freed);
  }

  /** It was the customer's before, or was asked for: other cards may buy it until its own end. */
  private async giveBack(tx: Tx, batch: readonly Run[]): Promise<void> {
    const holds = await this.handovers.giveBack(
      tx,
      batch.map(({ data }) => data),
    );
    for (const run of batch) {
      const hold = holds.get(run.data.reservationId);
      if (!hold) continue;
      const keptHold = { id: hold.id, state: effectiveState(hold), expiresAt: hold.expiresAt.toISOString() };
      run.update({ keptHold });
      const { id: reservationId, state, expiresAt } = keptHold;
      if (state === 'HELD') run.note('reservation.kept', { reservationId, expiresAt });
    }
  }

  private async release(tx: Tx, batch: readonly Run[]): Promise<void> {
    const released = await this.reservations.release(
      tx,
      batch.map(({ data }) => data.reservationId),
      'RELEASED',
    );
    for (const run of batch) {
      const { reservationId } = run.data;
      if (released.has(reservationId)) run.note('reservation.released', { reservationId });
    }
  }

  private requestOf({ data }: Run): HoldRequest {
    return {
      reservationId: data.reservationId,
      currency: data.currency,
      alternatives: [{ lines: data.lines, terms: data.terms }],
      customer: data.terms && customerKeyOf(data.customer),
      ttlSeconds: this.config.reservation.ttlSeconds,
      versions: data.versions,
      orderId: data.orderId,
      pinnedBy: data.sagaId,
    };
  }
}

/** What looks at a coupon or an account looks at the stock, too: rows are locked in one order, stock before the others. */
function isOptimisticFor(batch: readonly Run[], { isOptimistic }: Stage): boolean {
  return isOptimistic && batch.every(({ data }) => isPlain(data));
}

function toFailure(
  allowance: ExceededAllowance,
): SagaFailure & { readonly details: Readonly<Record<string, unknown>> } {
  const { code, message: detail, details } = new AllowanceExceededError(allowance);
  return { code, detail, details };
}

/** Carries what a client needs to go on: which reservation, and its state or its end. */
export function refusalOf(
  reservationId: string,
  verdict: Exclude<AdoptionVerdict, { kind: 'adopted' }>,
): SagaFailure & { readonly details: Readonly<Record<string, unknown>> } {
  if (verdict.kind === 'missing')
    return { code: 'RESERVATION_NOT_FOUND', detail: 'The reservation does not exist', details: { reservationId } };
  if (verdict.kind === 'busy') {
    const detail = 'Another checkout has this reservation';
    return { code: 'INVALID_STATE', detail, details: { reservationId, state: 'HELD' } };
  }
  if (verdict.kind === 'changed') {
    const { currency, total } = verdict;
    const lines = verdict.lines.map((line) => ({ ...line, amount: line.quantity * line.unitAmount }));
    const detail = 'The reservation was changed meanwhile';
    return { code: 'PRICE_CHANGED', detail, details: { reservationId, quote: { lines, total, currency } } };
  }
  if (verdict.kind === 'exceeded') return toFailure(verdict.allowance);
  const { state } = verdict;
  if (state !== 'EXPIRED')
    return { code: 'INVALID_STATE', detail: `The reservation is ${state}`, details: { reservationId, state } };
  const expiredAt = verdict.expiresAt.toISOString();
  const detail = `The reservation ended at ${expiredAt}`;
  return { code: 'RESERVATION_EXPIRED', detail, details: { reservationId, expiredAt } };
}
