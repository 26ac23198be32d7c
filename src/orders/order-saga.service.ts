import { Inject, Injectable } from '@nestjs/common';
import { sleep } from '../common/backoff.js';
import { isDoneWithin } from '../common/deadline.js';
import { DomainError } from '../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { Answer, IdempotentRequest, ReplayedError } from '../platform/idempotency/idempotency.js';
import { IdempotencyRepository, KeyRecord, StoredResponse } from '../platform/idempotency/idempotency.repository.js';
import { assertSamePayload, IdempotencyService, replayOf } from '../platform/idempotency/idempotency.service.js';
import { KeyScopeTransition } from '../platform/idempotency/key-scope-transition.js';
import type { SagaDefinition } from '../saga/saga-definition.js';
import { SagaEngine, SagaTicket } from '../saga/engine/saga-engine.service.js';
import type { SagaState } from '../saga/saga-state.js';
import { SagaRepository } from '../saga/saga.repository.js';
import { SagaHandedOverError } from '../saga/saga.errors.js';
import type { SagaSnapshot } from '../saga/step-context.js';
import type { ClaimedKey } from './claim-keys.js';
import type { Preference } from '../platform/http/prefer.js';
import { KeyAlreadyClaimedError } from './claim-keys.js';

/** The response to a saga: what it has come to, or that it is still under way. Throws what it was refused with. */
export type ToResponse<D> = (saga: SagaSnapshot<D>) => StoredResponse;

/** What the data of every command carries; its key is claimed by `run`. */
interface CommandData {
  readonly sagaId: string;
  readonly orderId: string;
  readonly key?: ClaimedKey | undefined;
}

const POLL_MS = 50;
/** How much longer than it asked for a client waits for word that its order exists. */
const START_GRACE_MS = 1_000;

/** Commands that are sagas: the first transaction claims the key, the saga's own row is the stored answer. */
@Injectable()
export class OrderSagaService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly idempotency: IdempotencyService,
    private readonly keys: IdempotencyRepository,
    private readonly transition: KeyScopeTransition,
    private readonly engine: SagaEngine,
    private readonly sagas: SagaRepository,
  ) {}

  /** The claim that the saga's first transaction makes. */
  claimOf(request: IdempotentRequest, prefer: Preference): ClaimedKey {
    const lockMs = prefer.isAsync ? 0 : Math.max(this.config.saga.leaseMs, prefer.waitMs);
    const [id, ...aliases] = this.transition.idsOf(request);
    return {
      id: id.toString('hex'),
      aliases: aliases.length > 0 ? aliases.map((alias) => alias.toString('hex')) : undefined,
      fingerprint: request.fingerprint.toString('hex'),
      digest: request.keyDigest,
      lockMs,
    };
  }

  /** The earlier answer under this key, or undefined if the key is new. */
  async findAnswer<D>(
    request: IdempotentRequest,
    prefer: Preference,
    toResponse: ToResponse<D>,
  ): Promise<Answer | undefined> {
    const record = await this.idempotency.find(request);
    return record && this.reattach(request, record, prefer, toResponse);
  }

  /** Starts the saga with the claim of the request's key, and waits for it as long as the client prefers. */
  async run<D extends CommandData>(
    definition: SagaDefinition<D>,
    command: D,
    request: IdempotentRequest,
    prefer: Preference,
    toResponse: ToResponse<D>,
  ): Promise<Answer> {
    const deadline = performance.now() + prefer.waitMs;
    const { sagaId: id, orderId: subject } = command;
    const data = Object.assign(command, { key: this.claimOf(request, prefer) });
    const { requestId, trace } = request;
    const ticket = this.engine.start(definition, { id, subject, data, requestId, trace });
    try {
      await (prefer.isAsync ? ticket.started : this.wait(ticket, request, prefer.waitMs));
    } catch (error) {
      if (error instanceof KeyAlreadyClaimedError) return this.attachToWinner(request, prefer, toResponse);
      if (!(error instanceof SagaHandedOverError)) throw error;
      return { ...toResponse(await this.follow<D>(id, deadline)), isReplay: false };
    }
    // What is committed: a transaction that is still under way may yet come to something else.
    return Object.assign(toResponse(ticket.run.stored), { isReplay: false });
  }

  /** A command that acts on a saga which exists already, and claims its key for it: that saga is the answer. */
  async join<D>(
    sagaId: string,
    act: () => Promise<void>,
    request: IdempotentRequest,
    prefer: Preference,
    toResponse: ToResponse<D>,
  ): Promise<Answer> {
    const deadline = performance.now() + prefer.waitMs;
    try {
      await act();
    } catch (error) {
      if (error instanceof KeyAlreadyClaimedError) return this.attachToWinner(request, prefer, toResponse);
      throw error;
    }
    const saga = prefer.isAsync ? await this.look<D>(sagaId) : await this.follow<D>(sagaId, deadline);
    return { ...toResponse(saga), isReplay: false };
  }

  /**
   * A refusal before there is a saga, which leaves no order. A definite one is remembered for the key, unless another
   * request with the key was faster: its saga is why a hold is taken or a price has moved, and its answer is ours.
   */
  async refuse<D>(
    error: unknown,
    request: IdempotentRequest,
    prefer: Preference,
    toResponse: ToResponse<D>,
  ): Promise<Answer> {
    await this.idempotency.rememberRefusal(request, error);
    const record = await this.idempotency.find(request);
    if (!record || record.response) throw error;
    return this.reattach(request, record, prefer, toResponse);
  }

  /** Until the saga rests or the time is over; then the key is open for whoever asks again. */
  private async wait<D>(ticket: SagaTicket<D>, request: IdempotentRequest, waitMs: number): Promise<void> {
    if (await isDoneWithin(waitMs, ticket.rested)) return;
    if (!(await isDoneWithin(START_GRACE_MS, ticket.started))) throw notStored();
    // Nobody waits for it: the claim of the key ends by itself, a little later.
    this.keys.unlock(this.transactions, this.transition.idsOf(request)).catch(() => undefined);
  }

  private async attachToWinner<D>(
    request: IdempotentRequest,
    prefer: Preference,
    toResponse: ToResponse<D>,
  ): Promise<Answer> {
    const record = await this.idempotency.find(request);
    if (!record) throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'A request with this key is in progress');
    return this.reattach(request, record, prefer, toResponse);
  }

  /** What became of an earlier request with the key: its answer, or word that it is under way. */
  async reattach<D>(
    request: IdempotentRequest,
    record: KeyRecord,
    prefer: Preference,
    toResponse: ToResponse<D>,
  ): Promise<Answer> {
    assertSamePayload(request, record);
    if (record.response) return replayOf(record.response);
    if (record.sagaId === null)
      throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'A request with this key is in progress');
    const now = await this.look<D>(record.sagaId);
    if (record.isLocked && !isResting(now.state)) throw inProgress(toResponse(now));
    const saga =
      isResting(now.state) || prefer.isAsync
        ? now
        : await this.follow<D>(record.sagaId, performance.now() + prefer.waitMs);
    try {
      return { ...toResponse(saga), isReplay: true };
    } catch (error) {
      if (error instanceof DomainError) throw new ReplayedError(error.code, error.message, error.details);
      throw error;
    }
  }

  /** Another instance, or a later moment, carries the saga on: watch the row. */
  private async follow<D>(sagaId: string, deadline: number): Promise<SagaSnapshot<D>> {
    for (;;) {
      const saga = await this.look<D>(sagaId);
      if (isResting(saga.state) || performance.now() >= deadline) return saga;
      await sleep(POLL_MS);
    }
  }

  private async look<D>(sagaId: string): Promise<SagaSnapshot<D>> {
    const [row] = await this.sagas.find(this.transactions, [sagaId]);
    if (!row) throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'A request with this key is in progress');
    return { state: row.state, data: row.data as D, outcome: row.outcome, failure: row.failure };
  }
}

/** The order is there already: whoever asks again may follow it. */
function inProgress({ body }: StoredResponse): DomainError {
  const { id: orderId, accessToken } = body as { id?: string; accessToken?: string };
  const known = accessToken === undefined ? {} : { orderId, accessToken };
  return new DomainError('IDEMPOTENCY_IN_PROGRESS', 'A request with this key is in progress', known);
}

/** The database may be silent: the order may exist, or come to exist. The key finds it. */
function notStored(): DomainError {
  return new DomainError(
    'DEPENDENCY_UNAVAILABLE',
    'The order could not be stored in time: ask again with the same Idempotency-Key',
  );
}

function isResting(state: SagaState): boolean {
  return state !== 'RUNNING' && state !== 'COMPENSATING';
}
