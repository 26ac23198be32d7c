import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { isUnavailable } from '../../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { IdempotencyRepository, KeyRecord, StoredResponse } from '../../platform/idempotency/idempotency.repository.js';
import { KeyScopeTransition } from '../../platform/idempotency/key-scope-transition.js';
import { storedRefusalOf } from '../../platform/idempotency/idempotency.service.js';
import { HoldPolicies, usesOf } from './hold-policy.js';
import { holdKeys, HoldRequest, HoldVerdict, totalOf } from './reservation.js';
import { toReservationResponse } from './reservation.dto.js';
import { AllowanceExceededError, OutOfStockError } from './reservation.errors.js';
import { ReservationRepository } from './reservation.repository.js';

export interface PendingHold {
  readonly request: IdempotentRequest;
  readonly hold: HoldRequest;
  /** Refused, it leaves no trace: its sender tries something else under the same key. */
  readonly isTentative?: boolean;
}

export type HoldOutcome =
  | { readonly kind: 'held'; readonly response: StoredResponse }
  | { readonly kind: 'refused'; readonly error: DomainError; readonly response: StoredResponse }
  /** The key was used before. */
  | { readonly kind: 'known'; readonly record: KeyRecord };

type FreshOutcome = Exclude<HoldOutcome, { kind: 'known' }>;

/** One transaction for all: the claims of the keys, the holds, and the answers that retries get. */
@Injectable()
export class ReservationBatch {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly keys: IdempotencyRepository,
    private readonly reservations: ReservationRepository,
    private readonly transition: KeyScopeTransition,
    private readonly policies: HoldPolicies,
  ) {}

  /** Under the locks of all SKUs of the batch. */
  run(batch: readonly PendingHold[], token: bigint): Promise<readonly HoldOutcome[]> {
    return this.transactions.run((tx) => this.hold(tx, batch, token));
  }

  private async hold(tx: Tx, batch: readonly PendingHold[], token: bigint): Promise<readonly HoldOutcome[]> {
    const fresh = await this.claim(tx, batch);
    const holds = [...fresh.values()];
    const verdicts =
      holds.length === 0
        ? []
        : await this.reservations.hold(
            tx,
            holds.map(({ hold }) => hold),
            token,
          );
    const granted = holds.filter((_, index) => verdicts[index]?.kind === 'granted');
    this.policies.use(
      tx,
      granted.flatMap(({ hold }) => usesOf(hold.reservationId, hold.tickets)),
    );
    const outcomes = new Map<PendingHold, FreshOutcome>();
    holds.forEach((pending, index) => outcomes.set(pending, outcomeOf(pending.hold, verdicts[index])));
    if (holds.length > 0) {
      const isDropped = ([{ isTentative }, { kind }]: [PendingHold, FreshOutcome]) => isTentative && kind === 'refused';
      const dropped = [...outcomes].filter(isDropped);
      this.keys.store(
        tx,
        [...outcomes]
          .filter((outcome) => !isDropped(outcome))
          .map(([{ request }, { response }]) => ({ ids: this.transition.idsOf(request), response })),
      );
      this.keys.giveBack(
        tx,
        dropped.flatMap(([{ request }]) => this.transition.idsOf(request)),
      );
    }
    const known = await this.known(tx, batch, fresh, outcomes);
    return batch.map((pending) => outcomes.get(pending) ?? known(pending));
  }

  /** Of several requests with one key in one batch, the first is the request and the others are its retries. */
  private async claim(tx: Tx, batch: readonly PendingHold[]): Promise<Map<string, PendingHold>> {
    const first = new Map<string, PendingHold>();
    for (const pending of batch) {
      const id = hex(pending);
      if (!first.has(id)) first.set(id, pending);
    }
    const claimed = await this.keys.claim(
      tx,
      [...first.values()].map(({ request }) => {
        const { fingerprint } = request;
        return { ids: this.transition.idsOf(request), fingerprint, sagaId: null, lockMs: 0 };
      }),
    );
    return new Map([...first].filter(([id]) => claimed.has(id)));
  }

  /** The records of the keys that were not ours to claim: of an earlier commit, or of this one. */
  private async known(
    tx: Tx,
    batch: readonly PendingHold[],
    fresh: ReadonlyMap<string, PendingHold>,
    outcomes: ReadonlyMap<PendingHold, FreshOutcome>,
  ): Promise<(pending: PendingHold) => HoldOutcome> {
    const earlier = batch.filter((pending) => !fresh.has(hex(pending)));
    const ids = earlier.map(({ request }) => this.transition.idsOf(request));
    const records = earlier.length === 0 ? [] : await this.keys.find(tx, ids);
    const found = new Map(earlier.map((pending, index) => [hex(pending), records[index]]));
    for (const [id, pending] of fresh) {
      const response = outcomes.get(pending)?.response ?? null;
      found.set(id, { ...pending.request, sagaId: null, response, isLocked: false });
    }
    return (pending) => {
      const record = found.get(hex(pending));
      if (record) return { kind: 'known', record };
      throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'A request with this key is in progress');
    };
  }
}

function outcomeOf(hold: HoldRequest, verdict: HoldVerdict | undefined): FreshOutcome {
  if (verdict?.kind === 'granted') {
    const { alternative, expiresAt } = verdict;
    const offer = hold.alternatives[alternative] ?? { lines: [] };
    const shown = { id: hold.reservationId, state: 'HELD', isOverdue: false, currency: hold.currency } as const;
    const price = { lines: offer.lines, terms: offer.terms ?? null, total: totalOf(offer) };
    const body = toReservationResponse({ ...shown, ...price, expiresAt, alternative });
    return { kind: 'held', response: { status: 201, headers: { location: `/v1/reservations/${body.id}` }, body } };
  }
  const error =
    verdict?.kind === 'exceeded'
      ? new AllowanceExceededError(verdict.allowance)
      : new OutOfStockError(verdict?.shortages ?? []);
  const response = storedRefusalOf(error);
  if (!response) throw error;
  return { kind: 'refused', error, response };
}

export function keysOf({ hold }: PendingHold): string[] {
  return [...new Set(hold.alternatives.flatMap(holdKeys))];
}

/** What strikes everyone alike: alone, each of them would only wait longer for the same answer. */
export function isSharedFailure(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  return error instanceof DomainError && (error.code === 'LOCK_TIMEOUT' || error.code === 'DEPENDENCY_UNAVAILABLE');
}

function hex({ request }: PendingHold): string {
  return request.id.toString('hex');
}
