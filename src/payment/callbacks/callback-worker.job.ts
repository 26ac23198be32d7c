import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { backoffMs } from '../../common/backoff.js';
import { messageOf } from '../../common/error-message.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Loop } from '../../platform/loops/loop.js';
import { Loops } from '../../platform/loops/loops.js';
import { CALLBACK_LOCK, callbackKey } from '../../lock/lock-keys.js';
import { LockService } from '../../lock/lock.service.js';
import { parseTraceparent, type TraceContext } from '../../platform/tracing/trace-context.js';
import { Tracing } from '../../platform/tracing/tracing.js';
import type { CallbackHandler, WebhookVerdict } from './callback-handler.js';
import { ClaimedEvent, CallbackInboxRepository } from './callback-inbox.repository.js';
import { CallbackMetrics } from './callback-metrics.js';

const MAX_ACTIVE = 32;
/** Longer than the longest attempt: the wait for the lock and the handler's own limit. */
const CLAIM_MS = 45_000;
const ATTEMPT_MS = 20_000;
/** About four minutes in all. An event that arrived before its order was committed is processed long before that. */
const MAX_ATTEMPTS = 10;
const BACKOFF = { baseMs: 500, capMs: 60_000 };
/** The longest rest, after which events of other instances are found. Events that arrive here wake the job at once. */
const IDLE_MS = 2_000;
const MIN_SLEEP_MS = 20;

/** Processes stored events on every instance: rows are claimed with SKIP LOCKED, and a lock orders the effects. */
@Injectable()
export class CallbackWorkerJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(CallbackWorkerJob.name);
  private readonly stopping = new AbortController();
  private readonly active = new Set<Promise<void>>();
  private readonly loop: Loop;
  private handler: CallbackHandler | undefined;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly inbox: CallbackInboxRepository,
    private readonly locks: LockService,
    private readonly metrics: CallbackMetrics,
    private readonly tracing: Tracing,
    loops: Loops,
  ) {
    this.loop = loops.create({
      name: 'callback-inbox',
      pace: { minMs: MIN_SLEEP_MS, maxMs: IDLE_MS },
      round: () => this.claimDue(),
    });
  }

  /** Called once, before the application starts. */
  handleWith(handler: CallbackHandler): void {
    this.handler = handler;
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Finishes the work under way, so that nothing stays claimed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.loop.stop();
    await Promise.all(this.active);
  }

  poke(): void {
    this.loop.wake();
  }

  /**
   * Events run side by side, so that one that waits for its lock or for the provider delays no other. Returns when the
   * next is due.
   */
  private async claimDue(): Promise<number> {
    for (;;) {
      const dueMs = await this.inbox.msToNextDue(this.transactions);
      if (dueMs === undefined || dueMs > 0) return dueMs ?? IDLE_MS;
      const free = MAX_ACTIVE - this.active.size;
      if (free <= 0 || this.stopping.signal.aborted) return IDLE_MS;
      const events = await this.inbox.claim(this.transactions, free, CLAIM_MS);
      for (const event of events) this.begin(event);
      if (events.length === 0) return MIN_SLEEP_MS; // another instance is at it
    }
  }

  private begin(event: ClaimedEvent): void {
    const attempt = this.attempt(event).finally(() => {
      this.active.delete(attempt);
      if (this.active.size === MAX_ACTIVE - 1) this.poke();
    });
    this.active.add(attempt);
  }

  private async attempt(claimed: ClaimedEvent): Promise<void> {
    const startedAt = performance.now();
    try {
      const { event } = claimed;
      const options = { ...CALLBACK_LOCK, signal: this.stopping.signal };
      await this.locks.withLock([callbackKey(event.transactionId)], options, async (lease) => {
        const signal = AbortSignal.any([lease.signal, AbortSignal.timeout(ATTEMPT_MS)]);
        if (!this.handler) throw new Error('nobody handles webhook events');
        await this.conclude(claimed, await this.handler.handle(event, signal), startedAt);
      });
    } catch (error) {
      await this.putOff(claimed, messageOf(error)).catch((failure: unknown) =>
        this.logger.warn(`webhook event ${claimed.id} comes back after its claim: ${messageOf(failure)}`),
      );
    }
  }

  private async conclude(claimed: ClaimedEvent, verdict: WebhookVerdict, startedAt: number): Promise<void> {
    if (verdict.kind === 'later') return this.putOff(claimed, verdict.reason);
    const hasLanded = await this.transactions.run(async (tx) => {
      const isOurs = await this.inbox.finish(tx, claimed);
      if (isOurs) verdict.record?.(tx);
      return isOurs;
    });
    if (!hasLanded) return;
    this.metrics.count(claimed.provider, 'processed');
    this.trace(claimed, verdict.trace, startedAt);
  }

  /** In the trace of what it is about, with a link to the request that brought it, which has a trace of its own. */
  private trace({ provider, event, attempts, trace }: ClaimedEvent, about: TraceContext | undefined, at: number): void {
    const request = parseTraceparent(trace);
    this.tracing.recordChild(about, {
      name: `callback ${event.type}`,
      kind: 'consumer',
      from: this.tracing.clock.at(at),
      to: this.tracing.clock.now(),
      attributes: { 'callback.provider': provider, 'callback.event_id': event.id, 'callback.attempt': attempts },
      ...(request && { links: [request] }),
    });
  }

  private async putOff(claimed: ClaimedEvent, reason: string): Promise<void> {
    const { provider, attempts, event } = claimed;
    if (attempts < MAX_ATTEMPTS) {
      await this.inbox.postpone(this.transactions, claimed, reason, backoffMs(BACKOFF, attempts));
      this.metrics.count(provider, 'postponed');
      return;
    }
    await this.inbox.bury(this.transactions, claimed, reason);
    this.metrics.count(provider, 'dead');
    const { id: eventId, type, transactionId } = event;
    this.logger.error({
      msg: 'a webhook event is DEAD and waits for an operator',
      eventId,
      type,
      transactionId,
      reason,
    });
  }
}
