import { Inject, Injectable } from '@nestjs/common';
import { customerKeyOf } from '../../balance/allowance.js';
import { BalanceLocks } from '../../balance/balance-locks.service.js';
import { newId } from '../../common/id.js';
import { STOCK_LOCK } from '../../lock/lock-keys.js';
import { DomainError } from '../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { AccessTokens } from '../../platform/http/auth/access-tokens.js';
import type { Caller } from '../../platform/http/auth/caller.js';
import type { Answer, IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import { ReservationBatch, isSharedFailure, keysOf, PendingHold, type HoldOutcome } from './reservation-batch.js';
import { QuoteService } from '../quote/quote.service.js';
import { BestSeatsService } from './best-seats.service.js';
import { HoldPolicies } from './hold-policy.js';
import type { HoldRequest } from './reservation.js';
import { alternativesOf, BestAvailable, ReservationInput } from './reservation.dto.js';
import { OutOfStockError } from './reservation.errors.js';

/** A retry may be refused for what its first attempt has changed: its own ticket is used. */
const REPLAYED: ReadonlySet<string> = new Set([
  'SKU_NOT_FOUND',
  'VALIDATION_FAILED',
  'ADMISSION_REQUIRED',
  'COUPON_NOT_FOUND',
  'COUPON_NOT_APPLICABLE',
  'LIMIT_EXCEEDED',
]);
const MAX_BATCH = 100;
/** Locks of SKUs and coupons: the lock module bears 2,000 at once, and a smaller union meets fewer rivals. */
const MAX_BATCH_KEYS = 500;
const MAX_IN_FLIGHT = 2;
/** Of choosing the best seats and finding them taken. */
const MAX_ROUNDS = 10;

/** New holds, by group commit: those that arrive while a commit is under way share the next one. */
@Injectable()
export class ReservationIntake {
  private readonly hold: (pending: PendingHold) => Promise<HoldOutcome>;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly quotes: QuoteService,
    private readonly best: BestSeatsService,
    private readonly policies: HoldPolicies,
    private readonly idempotency: IdempotencyService,
    private readonly accessTokens: AccessTokens,
    locks: BalanceLocks,
    batch: ReservationBatch,
  ) {
    this.hold = locks.batches(STOCK_LOCK, {
      keysOf,
      batching: { maxBatch: MAX_BATCH, maxInFlight: MAX_IN_FLIGHT, isShared: isSharedFailure },
      maxKeys: MAX_BATCH_KEYS,
      work: (holds, { lease }) => batch.run(holds, lease?.token ?? 0n),
    });
  }

  async create(request: IdempotentRequest, caller: Caller, input: ReservationInput): Promise<Answer> {
    try {
      if (input.bestAvailable) return await this.holdBest(request, caller, input, input.bestAvailable);
      const offers = await this.quotes.offers(input.currency, alternativesOf(input), input.coupons);
      const hold = await this.holdOf(input.currency, offers, caller);
      return this.toAnswer(request, await this.hold({ request, hold }));
    } catch (error) {
      return this.replayDespite(request, error);
    }
  }

  /** Where others were faster, the next best seats of a newer picture are tried. */
  private async holdBest(
    request: IdempotentRequest,
    caller: Caller,
    { currency, coupons }: ReservationInput,
    wish: BestAvailable,
  ): Promise<Answer> {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const candidates = await this.chooseOrReplay(request, currency, wish, coupons);
      if ('status' in candidates) return this.withAccessToken(candidates);
      const hold = await this.holdOf(currency, candidates, caller);
      const outcome = await this.hold({ request, hold, isTentative: true });
      if (outcome.kind !== 'refused' || !(outcome.error instanceof OutOfStockError))
        return this.toAnswer(request, outcome);
    }
    throw new DomainError('LOCK_TIMEOUT', 'Others were faster each time: the seats are contended, try again shortly');
  }

  /** Seats that are gone may be this request's own, held when its key was first used. */
  private async chooseOrReplay(
    request: IdempotentRequest,
    currency: string,
    wish: BestAvailable,
    coupons: readonly string[] | undefined,
  ) {
    try {
      return await this.best.choose(currency, wish, coupons);
    } catch (error) {
      if (!(error instanceof OutOfStockError)) throw error;
      const earlier = await this.idempotency.find(request);
      if (earlier) return this.idempotency.replay(request, earlier);
      await this.idempotency.rememberRefusal(request, error);
      throw error;
    }
  }

  private async holdOf(
    currency: string,
    alternatives: HoldRequest['alternatives'],
    caller: Caller,
  ): Promise<HoldRequest> {
    const skus = [...new Set(alternatives.flatMap(({ lines }) => lines.map(({ sku }) => sku)))];
    const tickets = await this.policies.admit({ caller }, skus);
    const { ttlSeconds } = this.config.reservation;
    const { customerId } = caller;
    const customer = customerKeyOf({ id: customerId });
    return { reservationId: newId(), currency, alternatives, ttlSeconds, customerId, customer, tickets };
  }

  /** The catalogue may have changed since the key was first used: it is answered as before all the same. */
  private async replayDespite(request: IdempotentRequest, error: unknown): Promise<Answer> {
    const mayHaveWorked = error instanceof DomainError && REPLAYED.has(error.code);
    const earlier = mayHaveWorked ? await this.idempotency.find(request) : undefined;
    if (!earlier) throw error;
    return this.withAccessToken(this.idempotency.replay(request, earlier));
  }

  private toAnswer(request: IdempotentRequest, outcome: HoldOutcome): Answer {
    switch (outcome.kind) {
      case 'held':
        return this.withAccessToken({ ...outcome.response, isReplay: false });
      case 'refused':
        throw outcome.error;
      case 'known':
        return this.withAccessToken(this.idempotency.replay(request, outcome.record));
    }
  }

  /** Issued anew each time: stored answers hold no secrets. */
  private withAccessToken(answer: Answer): Answer {
    const body = answer.body as { id: string };
    return { ...answer, body: { ...body, accessToken: this.accessTokens.issue('reservation', body.id) } };
  }
}
