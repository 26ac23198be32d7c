import { Injectable, Logger } from '@nestjs/common';
import { bounded, releaseAnyway } from './drivers/bounded.js';
import { type LockHold, unboundLease } from './lock-hold.js';
import type { Lease } from './lease.js';
import { type Acquired, type AcquirerOptions, BLOCKED_AFTER_MS, LockAcquirer } from './lock-acquirer.js';
import type { LockDriver, StoredLock } from './lock-driver.js';
import {
  FencedOutError,
  LeaseLostError,
  LockBackendUnavailableError,
  LockBlockedError,
  LockTimeoutError,
} from './lock-errors.js';
import { type FailedOutcome, LockMetrics } from './lock-metrics.js';
import { checkRequest, type LockOptions } from './lock-keys.js';
import { SLOW_WAIT_MS, SlowWaitLog } from './slow-wait-log.js';

export type HeldLock = StoredLock;

/** After this the work's result is returned. A release that failed is repeated behind its back. */
const RELEASE_WAIT_MS = 80;
/** At the end of the process: a store that does not answer by then frees the keys when their leases end. */
const STOP_WAIT_MS = 1_000;
const LIST_LIMIT = 1_000;

@Injectable()
export class LockService {
  private readonly logger = new Logger(LockService.name);
  private readonly slowWaits = new SlowWaitLog(this.logger);
  private readonly holds = new Map<string, LockHold>();
  private readonly acquirer: LockAcquirer;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly driver: LockDriver,
    private readonly metrics: LockMetrics,
    options: AcquirerOptions,
  ) {
    this.acquirer = new LockAcquirer(driver, options, {
      renewed: (hold, outcome) => this.metrics.renewed(hold.grant.keys[0] ?? '', outcome),
      lost: (hold, loss) => this.noteLoss(hold, loss),
      conflicted: (ticket) => this.metrics.conflicted(ticket.keys[0] ?? ''),
    });
  }

  get driverName(): string {
    return this.driver.name;
  }

  /** Whether the configured store is in use, or its fallback. */
  check(): { state: 'up' | 'degraded'; detail?: string } {
    const detail = this.driver.degradation?.();
    return detail === undefined ? { state: 'up' } : { state: 'degraded', detail };
  }

  start(): Promise<void> {
    return this.driver.start({
      wake: (owner) => this.acquirer.wake(owner),
      contend: (owner) => {
        const hold = this.holds.get(owner);
        if (hold) hold.isContended = true;
      },
    });
  }

  /** Releases what is still held, so that nobody waits a minute for a lease after a deployment. Its work is aborted. */
  stop(): Promise<void> {
    this.stopping ??= this.giveBack();
    return this.stopping;
  }

  /**
   * Runs the work while all keys are locked; without keys it runs at once and locks nothing. The work's result is
   * returned even if the lease was lost meanwhile: its writes were fenced, and only the work knows whether they
   * committed.
   */
  async withLock<T>(keys: readonly string[], options: LockOptions, work: (lease: Lease) => Promise<T>): Promise<T> {
    const wanted = checkRequest(keys, options);
    options.signal?.throwIfAborted();
    if (wanted.length === 0) return work(unboundLease());
    this.assertRunning();
    const { granted, inherited, wait, hold } = this.metrics.ofKey(wanted[0] ?? '');
    const askedAt = performance.now();
    const acquired = await this.acquirer
      .acquire(wanted, options)
      .catch((error: unknown) => this.refuse(wanted, askedAt, error));
    const grantedAt = performance.now();
    this.holds.set(acquired.hold.grant.owner, acquired.hold);
    (acquired.isInherited ? inherited : granted).inc();
    wait.observe((grantedAt - askedAt) / 1_000);
    if (grantedAt - askedAt > SLOW_WAIT_MS) this.slowWaits.note(wanted, grantedAt - askedAt);
    try {
      options.signal?.throwIfAborted();
      this.assertRunning();
      return await work(acquired.lease);
    } catch (error) {
      // The row has a higher token than the store: the next token for us will be above it.
      if (error instanceof FencedOutError && error.fence !== undefined) this.acquirer.observe(error.fence);
      throw error;
    } finally {
      hold.observe((performance.now() - grantedAt) / 1_000);
      await this.release(acquired);
    }
  }

  /**
   * Locks the keys of all items except those that want a key which another process keeps for long. These are returned
   * as `blocked`, and the work runs for the others at once. If there are no others, nothing runs.
   */
  async withFreeKeys<T, R>(
    items: readonly T[],
    keysOf: (item: T) => readonly string[],
    options: LockOptions,
    work: (items: readonly T[], lease: Lease, keys: ReadonlySet<string>) => Promise<R>,
  ): Promise<{ readonly blocked: readonly T[]; readonly result?: R }> {
    const patience = { ...options, patienceMs: BLOCKED_AFTER_MS };
    const blocked = new Set<T>();
    let isBlocked = (key: string): boolean => this.isBlocked(key);
    for (;;) {
      for (const item of items) if (keysOf(item).some(isBlocked)) blocked.add(item);
      const free = items.filter((item) => !blocked.has(item));
      if (free.length === 0) return { blocked: [...blocked] };
      const keys = new Set(free.flatMap(keysOf));
      try {
        const result = await this.withLock([...keys], patience, (lease) => work(free, lease, keys));
        return { blocked: [...blocked], result };
      } catch (error) {
        if (!(error instanceof LockBlockedError)) throw error;
        isBlocked = (key) => error.blocked.has(key) || this.isBlocked(key);
      }
    }
  }

  /** Whether a local request waits for the key while another process keeps it for long. */
  isBlocked(key: string): boolean {
    return this.acquirer.blocked.includes(key);
  }

  /** What this process holds. */
  held(): HeldLock[] {
    const now = performance.now();
    return [...this.holds.values()].flatMap((hold) =>
      hold.grant.keys.map((key) => ({
        key,
        owner: hold.grant.owner,
        ageMs: Math.round(now - hold.acquiredAt),
        ttlMs: Math.max(0, Math.round(hold.deadline - now)),
        waiters: this.acquirer.queue.waitersOf(key),
      })),
    );
  }

  /** The locks of all processes, with the waiters of other processes and of this one. */
  async list(): Promise<HeldLock[]> {
    const stored = await this.driver.list(LIST_LIMIT);
    return stored.map((lock) => ({ ...lock, waiters: lock.waiters + this.acquirer.queue.waitersOf(lock.key) }));
  }

  private refuse(keys: readonly string[], askedAt: number, error: unknown): never {
    const waitedMs = performance.now() - askedAt;
    this.metrics.failed(keys[0] ?? '', outcomeOf(error));
    if (waitedMs > SLOW_WAIT_MS) this.slowWaits.note(keys, waitedMs);
    throw error;
  }

  private async release({ ticket, hold, lease }: Acquired): Promise<void> {
    const { queue } = this.acquirer;
    lease.close();
    this.acquirer.observe(lease.token);
    const successor = queue.waitersOf(ticket.keys[0]) > 0 ? queue.successorOf(ticket) : undefined;
    if (successor && hold.canHandOver(successor.leaseMs)) {
      successor.inherited = hold;
      queue.leave(ticket);
      return;
    }
    if (this.stopping && hold.loss) {
      queue.leave(ticket); // released by the stop
      return;
    }
    hold.stop();
    this.holds.delete(hold.grant.owner);
    const { driver } = hold.grant;
    const { isContended } = hold;
    const released = releaseAnyway(hold.holding(), hold.deadline - performance.now(), (held) =>
      driver.release(held, isContended),
    );
    // An ordered driver executes it before the next local acquire and sends both in the same write. Its answer is not
    // awaited: nothing depends on it, and every caller would wait for a round trip.
    if (!driver.isOrdered && !hold.loss) await bounded(released, RELEASE_WAIT_MS).catch(() => undefined);
    queue.leave(ticket);
  }

  private async giveBack(): Promise<void> {
    const released = [...this.holds.values()].map((hold) => {
      hold.lose(new LeaseLostError('the instance stops'));
      return hold.grant.driver.release(hold.holding());
    });
    await bounded(Promise.allSettled(released), STOP_WAIT_MS).catch(() => undefined);
    await this.driver.stop();
  }

  /** A lock that is taken after the stop would be left behind. */
  private assertRunning(): void {
    if (this.stopping) throw new LockBackendUnavailableError('the instance stops and takes no more locks');
  }

  private noteLoss(hold: LockHold, loss: LeaseLostError): void {
    this.holds.delete(hold.grant.owner);
    this.metrics.lost(hold.grant.keys[0] ?? '');
    this.logger.warn(`lost ${hold.grant.keys[0] ?? ''} (${hold.grant.keys.length} keys): ${loss.message}`);
  }
}

function outcomeOf(error: unknown): FailedOutcome {
  if (error instanceof LockTimeoutError) return 'timeout';
  return error instanceof LockBackendUnavailableError ? 'unavailable' : 'aborted';
}
