import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { DomainError } from '../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { AccessTokens } from '../../platform/http/auth/access-tokens.js';
import type { Caller } from '../../platform/http/auth/caller.js';
import type { Answer, IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import { ReservationBatch, isSharedFailure, PendingHold, skusOf, type HoldOutcome } from './reservation-batch.js';
import { QuoteService } from '../quote/quote.service.js';
import { alternativesOf, ReservationInput } from './reservation.dto.js';
import { StockLockService } from '../stock/stock-lock.service.js';

const UNPRICED: ReadonlySet<string> = new Set(['SKU_NOT_FOUND', 'VALIDATION_FAILED']);
const MAX_BATCH = 100;
/** SKUs, which are locks: the lock module bears 2,000 at once, and a smaller union meets fewer rivals. */
const MAX_BATCH_SKUS = 500;
const MAX_IN_FLIGHT = 2;

/** New holds, by group commit: those that arrive while a commit is under way share the next one. */
@Injectable()
export class ReservationIntake {
  private readonly hold: (pending: PendingHold) => Promise<HoldOutcome>;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly quotes: QuoteService,
    private readonly idempotency: IdempotencyService,
    private readonly accessTokens: AccessTokens,
    locks: StockLockService,
    batch: ReservationBatch,
  ) {
    this.hold = locks.batches(skusOf, {
      batching: { maxBatch: MAX_BATCH, maxInFlight: MAX_IN_FLIGHT, isShared: isSharedFailure },
      maxKeys: MAX_BATCH_SKUS,
      work: (holds, { lease }) => batch.run(holds, lease?.token ?? 0n),
    });
  }

  async create(request: IdempotentRequest, { customerId }: Caller, input: ReservationInput): Promise<Answer> {
    try {
      const alternatives = await this.quotes.priceAll(input.currency, alternativesOf(input));
      const { ttlSeconds } = this.config.reservation;
      const hold = { reservationId: newId(), currency: input.currency, alternatives, ttlSeconds, customerId };
      return this.toAnswer(request, await this.hold({ request, hold }));
    } catch (error) {
      return this.replayDespite(request, error);
    }
  }

  /** The catalogue may have changed since the key was first used: it is answered as before all the same. */
  private async replayDespite(request: IdempotentRequest, error: unknown): Promise<Answer> {
    const isOfCatalogue = error instanceof DomainError && UNPRICED.has(error.code);
    const earlier = isOfCatalogue ? await this.idempotency.find(request) : undefined;
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
