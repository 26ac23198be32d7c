import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { backoffMs } from '../../common/backoff.js';
import { messageOf } from '../../common/error-message.js';
import { TransactionRunner } from '../../infrastructure/database/transaction-runner.js';
import { CALLBACK_LOCK, callbackKey } from '../../lock/lock-keys.js';
import { LockService } from '../../lock/lock.service.js';
import type { WebhookHandler, WebhookVerdict } from './webhook-handler.js';
import { ClaimedEvent, WebhookInboxRepository } from './webhook-inbox.repository.js';
import { WebhookMetrics } from './webhook-metrics.js';

const MAX_ACTIVE = 32;
/** Longer than the longest attempt: the wait for the lock and the handler's own limit. */
const CLAIM_MS = 45_000;
const ATTEMPT_MS = 20_000;
/** Some four minutes in all: an event that overtook its order has long been overtaken itself by then. */
const MAX_ATTEMPTS = 10;
const BACKOFF = { baseMs: 500, capMs: 60_000 };
/** The longest sleep: finds what another instance stored and could not process. What is stored here pokes at once. */
const IDLE_MS = 1_000;
const MIN_SLEEP_MS = 20;

/** Gives stored events their effect, on every instance: rows are claimed with SKIP LOCKED, effects ordered by a lock. */
@Injectable()
export class WebhookWorkerJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookWorkerJob.name);
  private readonly stopping = new AbortController();
  private handler: WebhookHandler | undefined;
  private timer: NodeJS.Timeout | undefined;
  private claiming: Promise<void> | undefined;
  private readonly active = new Set<Promise<void>>();
  private isPoked = false;
  private isDue = true;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly inbox: WebhookInboxRepository,
    private readonly locks: LockService,
    private readonly metrics: WebhookMetrics,
  ) {}

  /** Once, before the application starts. */
  handleWith(handler: WebhookHandler): void {
    this.handler = handler;
  }

  onApplicationBootstrap(): void {
    this.poke();
  }

  /** What is under way ends first: nothing stays claimed by us. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.claiming;
    await Promise.all(this.active);
  }

  poke(): void {
    this.isPoked = true;
    this.schedule(0);
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.claiming ??= this.claimDue().finally(() => (this.claiming = undefined));
    }, ms);
  }

  /** An event that waits for its lock or for the provider holds up none of the others. */
  private async claimDue(): Promise<void> {
    let sleepMs = IDLE_MS;
    try {
      while (this.takePoke() && this.active.size < MAX_ACTIVE && !this.stopping.signal.aborted) {
        const events = await this.inbox.claim(this.transactions, MAX_ACTIVE - this.active.size, CLAIM_MS);
        for (const event of events) this.begin(event);
        if (events.length > 0) this.isPoked = true;
      }
      const dueMs = (await this.inbox.msToNextDue(this.transactions)) ?? IDLE_MS;
      sleepMs = Math.min(IDLE_MS, Math.max(MIN_SLEEP_MS, dueMs));
    } catch (error) {
      this.logger.warn(`the webhook inbox pauses: ${messageOf(error)}`);
      this.isPoked = false;
    }
    this.isDue = true;
    this.schedule(this.isPoked && this.active.size < MAX_ACTIVE ? 0 : sleepMs);
  }

  /** True once per poke, or per sleep that is over. */
  private takePoke(): boolean {
    const isPoked = this.isPoked || this.isDue;
    this.isPoked = false;
    this.isDue = false;
    return isPoked;
  }

  private begin(event: ClaimedEvent): void {
    const attempt = this.attempt(event).finally(() => {
      this.active.delete(attempt);
      if (this.active.size === MAX_ACTIVE - 1) this.poke();
    });
    this.active.add(attempt);
  }

  private async attempt(claimed: ClaimedEvent): Promise<void> {
    try {
      const { event } = claimed;
      const options = { ...CALLBACK_LOCK, signal: this.stopping.signal };
      await this.locks.withLock([callbackKey(event.transactionId)], options, async (lease) => {
        const signal = AbortSignal.any([lease.signal, AbortSignal.timeout(ATTEMPT_MS)]);
        if (!this.handler) throw new Error('nobody handles webhook events');
        await this.conclude(claimed, await this.handler.handle(event, signal));
      });
    } catch (error) {
      await this.putOff(claimed, messageOf(error)).catch((failure: unknown) =>
        this.logger.warn(`webhook event ${claimed.id} comes back after its claim: ${messageOf(failure)}`),
      );
    }
  }

  private async conclude(claimed: ClaimedEvent, verdict: WebhookVerdict): Promise<void> {
    if (verdict.kind === 'later') return this.putOff(claimed, verdict.reason);
    const hasLanded = await this.transactions.run(async (tx) => {
      const isOurs = await this.inbox.finish(tx, claimed);
      if (isOurs) verdict.record?.(tx);
      return isOurs;
    });
    if (hasLanded) this.metrics.count(claimed.provider, 'processed');
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
