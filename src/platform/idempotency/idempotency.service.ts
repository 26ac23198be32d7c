import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { Batcher } from '../../common/batcher.js';
import { DomainError, ErrorCode } from '../../common/domain-error.js';
import { isUnavailable } from '../postgres/sqlstate.js';
import { TransactionRunner } from '../postgres/transaction-runner.js';
import type { Tx } from '../postgres/tx.js';
import { PROBLEMS } from '../http/problem.js';
import { Answer, IdempotentRequest, ReplayedError } from './idempotency.js';
import { IdempotencyRepository, KeyRecord, StoredResponse } from './idempotency.repository.js';
import { KeyScopeTransition } from './key-scope-transition.js';

const DEFINITE = new Set([402, 409, 410]);

@Injectable()
export class IdempotencyService {
  /** Every idempotent request looks up its key first; requests that arrive together share one statement. */
  private readonly lookups = new Batcher<readonly Buffer[], KeyRecord | undefined>(
    (requests) => this.keys.find(this.transactions, requests),
    { maxBatch: 256, maxInFlight: 2, isShared: isUnavailable },
  );

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly keys: IdempotencyRepository,
    private readonly transition: KeyScopeTransition,
  ) {}

  /** For a command with a single transaction: the claim, the effect and the stored answer commit together. */
  async once(request: IdempotentRequest, work: (tx: Tx) => Promise<StoredResponse>): Promise<Answer> {
    const earlier = await this.find(request);
    if (earlier) return this.replay(request, earlier);
    const ids = this.transition.idsOf(request);
    try {
      const fresh = await this.transactions.run(async (tx) => {
        const { fingerprint } = request;
        const claimed = await this.keys.claim(tx, [{ ids, fingerprint, sagaId: null, lockMs: 0 }]);
        if (claimed.size === 0) return undefined;
        const response = await work(tx);
        this.keys.store(tx, [{ ids, response }]);
        return response;
      });
      if (fresh) return { ...fresh, isReplay: false };
    } catch (error) {
      await this.rememberRefusal(request, error);
      throw error;
    }
    const winner = await this.find(request);
    if (!winner) throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'A request with this key is in progress');
    return this.replay(request, winner);
  }

  find(request: IdempotentRequest): Promise<KeyRecord | undefined> {
    return this.lookups.run(this.transition.idsOf(request));
  }

  /** Definite refusals are stored and replayed. After any other failure the same key may be tried again. */
  async rememberRefusal(request: IdempotentRequest, error: unknown): Promise<void> {
    const response = storedRefusalOf(error);
    const ids = this.transition.idsOf(request);
    if (response) await this.keys.remember(this.transactions, ids, request.fingerprint, response);
  }

  /** The stored answer of a key. Throws if the key was used for another payload, or has no answer yet. */
  replay(request: IdempotentRequest, record: KeyRecord): Answer {
    assertSamePayload(request, record);
    if (!record.response) throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'A request with this key is in progress');
    return replayOf(record.response);
  }
}

export function assertSamePayload(request: IdempotentRequest, record: Pick<KeyRecord, 'fingerprint'>): void {
  if (timingSafeEqual(request.fingerprint, record.fingerprint)) return;
  throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request: use a new key');
}

export function storedRefusalOf(error: unknown): StoredResponse | undefined {
  if (!(error instanceof DomainError) || error instanceof ReplayedError || error.code.startsWith('IDEMPOTENCY'))
    return undefined;
  const { status } = PROBLEMS[error.code];
  return DEFINITE.has(status)
    ? { status, body: { code: error.code, detail: error.message, members: error.details } }
    : undefined;
}

export function replayOf(response: StoredResponse): Answer {
  if (response.status < 400) return { ...response, isReplay: true };
  const { code, detail, members } = response.body as {
    code: ErrorCode;
    detail: string;
    members: Record<string, unknown>;
  };
  throw new ReplayedError(code, detail, members);
}
