import { backoffMs } from '../common/backoff.js';
import { StoreTimeoutError } from './drivers/bounded.js';
import { HoldObserver, LockHold, WorkLease } from './lock-hold.js';
import { LocalQueue, Ticket, BlockedKeys } from './local-queue.js';
import { Busy, Granted, LockDriver, WILL_NOT_WAIT } from './lock-driver.js';
import { LockBackendUnavailableError, LockBlockedError, LockTimeoutError } from './lock-errors.js';
import { DEFAULT_WORK_MS, type LockOptions } from './lock-keys.js';

export interface AcquirerOptions {
  /** Unique per process; the name of its wake-up channel. Letters and digits. */
  readonly processId: string;
  /** The longest sleep of a waiter, in case its wake-up is lost. */
  readonly pollCapMs: number;
  /** The longest time for one command of the store. */
  readonly commandTimeoutMs: number;
}

export interface Acquired {
  readonly ticket: Ticket;
  readonly hold: LockHold;
  readonly lease: WorkLease;
  readonly isInherited: boolean;
}

interface Wait {
  readonly ticket: Ticket;
  readonly options: LockOptions;
  readonly deadline: number;
  owner: string;
  since: number;
  /** Its place in the local queues. */
  queuedAt: LockDriver | undefined;
  conflicts: number;
  failures: number;
  failure: unknown;
  /** How often others have passed it at its free keys. */
  overtaken: number;
  /** Since when another process has held these of its keys. */
  blockedSince: ReadonlyMap<string, number>;
  /** One of them has been held for suspiciously long, and everybody here knows. */
  isBlocked: boolean;
}

/** How many local successors a hold may serve before the store is asked again. */
const MAX_SPARE = 64;
/**
 * How often a request lets others pass at its free keys: with more, a stream of small requests could starve a large
 * one.
 */
const MAX_OVERTAKEN = 2;
const MIN_ATTEMPT_MS = 50;
/** A transaction under a lock takes some tens of milliseconds, even on an overloaded machine. */
export const BLOCKED_AFTER_MS = 100;
const FAILURE_BACKOFF = { baseMs: 20, capMs: 250 };

/** Takes a request through all layers under one deadline: local queue, driver, wake-up or poll. */
export class LockAcquirer {
  readonly queue = new LocalQueue();
  /** The highest token seen here. */
  floor = 0n;
  readonly blocked = new BlockedKeys();
  private readonly waiters = new Map<string, Ticket>();
  private sequence = 0;

  constructor(
    private readonly driver: LockDriver,
    private readonly options: AcquirerOptions,
    private readonly observer: HoldObserver & { conflicted(ticket: Ticket): void },
  ) {}

  async acquire(keys: readonly string[], options: LockOptions): Promise<Acquired> {
    const ticket = new Ticket(keys, options.leaseMs, (this.sequence += 1));
    const wait: Wait = {
      ticket,
      options,
      deadline: performance.now() + options.waitMs,
      owner: this.newOwner(),
      since: options.waitMs > 0 ? 0 : WILL_NOT_WAIT,
      queuedAt: undefined,
      conflicts: 0,
      failures: 0,
      failure: undefined,
      overtaken: 0,
      blockedSince: new Map(),
      isBlocked: false,
    };
    try {
      if (!this.queue.enter(ticket)) await this.turn(wait);
      for (;;) {
        const { inherited } = ticket;
        if (inherited) {
          this.leaveStore(wait);
          const lease = inherited.handOver(options.workMs ?? DEFAULT_WORK_MS);
          return { ticket, hold: inherited, lease, isInherited: true };
        }
        const reply = await this.attempt(wait);
        if (reply instanceof LockHold) return { ticket, hold: reply, lease: reply.current, isInherited: false };
        await this.standBy(wait, reply);
      }
    } catch (error) {
      this.leaveStore(wait);
      this.queue.leave(ticket);
      throw error;
    } finally {
      this.waiters.delete(wait.owner);
      if (wait.isBlocked) this.blocked.remove(ticket);
    }
  }

  wake(owner: string | undefined): void {
    if (owner !== undefined) this.waiters.get(owner)?.wake();
    else for (const ticket of this.waiters.values()) ticket.wake();
  }

  observe(token: bigint): void {
    if (token > this.floor) this.floor = token;
  }

  /** A hold, or how long to wait before the next attempt and for what. */
  private async attempt(wait: Wait): Promise<LockHold | Busy | undefined> {
    const { keys, leaseMs } = wait.ticket;
    const sentAt = performance.now();
    const spare = Math.min(MAX_SPARE, this.queue.waitersOf(keys[0]));
    const { owner, since } = wait;
    const { heirOf = '', waitMs, workMs = DEFAULT_WORK_MS } = wait.options;
    const limitMs = Math.min(this.options.commandTimeoutMs, leaseMs);
    const timeoutMs = waitMs > 0 ? Math.min(limitMs, Math.max(wait.deadline - sentAt, MIN_ATTEMPT_MS)) : limitMs;
    // Registered before the command is sent: the wake-up may arrive on another connection before the answer.
    this.waiters.set(owner, wait.ticket);
    let reply: Granted | Busy;
    try {
      reply = await this.driver.acquire({ keys, owner, leaseMs, floor: this.floor, spare, heirOf, since, timeoutMs });
    } catch (error) {
      this.noteFailure(wait, error);
      return undefined;
    }
    wait.failure = undefined;
    if (!reply.isGranted) return reply;
    this.observe(reply.token);
    if (wait.queuedAt && wait.queuedAt !== reply.driver) this.leaveStore(wait);
    const hold = new LockHold(
      { driver: reply.driver, keys, owner, since: 0, token: reply.token, spare, leaseMs, sentAt, workMs },
      this.observer,
    );
    hold.isContended = reply.isContended;
    if (hold.isAlive) {
      hold.schedule();
      return hold;
    }
    reply.driver.release(hold.holding()).catch(() => undefined);
    this.noteFailure(wait, new Error(`the lock store took longer to answer than the lease of ${leaseMs} ms`));
    return undefined;
  }

  /** The outcome is unknown, so the next attempt uses another owner id, which the compensating release cannot hit. */
  private noteFailure(wait: Wait, error: unknown): void {
    wait.failures += 1;
    wait.failure = error;
    this.waiters.delete(wait.owner);
    wait.owner = this.newOwner();
    wait.queuedAt = undefined;
    wait.since = Math.min(wait.since, 0);
  }

  private async standBy(wait: Wait, busy: Busy | undefined): Promise<void> {
    const { ticket } = wait;
    let pauseMs: number;
    if (busy) {
      wait.conflicts += 1;
      this.observer.conflicted(ticket);
      if (wait.queuedAt && wait.queuedAt !== busy.driver) this.leaveStore(wait);
      if (wait.since !== WILL_NOT_WAIT) {
        wait.since = busy.since;
        wait.queuedAt = busy.driver;
      }
      this.check(wait);
      const isStuck = this.noteBlocked(wait, busy.blocked);
      if (isStuck || wait.overtaken < MAX_OVERTAKEN) this.queue.park(ticket, busy.blocked);
      pauseMs = Math.min(busy.retryMs, this.options.pollCapMs * (0.5 + Math.random() / 2), this.patienceOf(wait));
    } else {
      pauseMs = backoffMs(FAILURE_BACKOFF, wait.failures);
    }
    this.check(wait);
    await ticket.sleep(Math.max(1, Math.min(pauseMs, wait.deadline - performance.now())), wait.options.signal);
    this.check(wait);
    if (this.queue.resume(ticket)) return;
    if (!wait.isBlocked) wait.overtaken += 1;
    await this.turn(wait);
  }

  /**
   * Remembers since when each key is held elsewhere. A key that stays held for longer than a transaction takes is
   * blocked: its holder may be paused or dead, and requests that can do without the key should not wait beside this
   * one.
   */
  private noteBlocked(wait: Wait, keys: readonly string[]): boolean {
    const now = performance.now();
    wait.blockedSince = new Map(keys.map((key) => [key, wait.blockedSince.get(key) ?? now]));
    const stuck = keys.filter((key) => now - (wait.blockedSince.get(key) ?? now) >= BLOCKED_AFTER_MS);
    if (stuck.length === 0) return false;
    this.blocked.add(wait.ticket, stuck);
    wait.isBlocked = true;
    const { patienceMs, waitMs } = wait.options;
    if (patienceMs === undefined) return true;
    const beyond = stuck.filter((key) => now - (wait.blockedSince.get(key) ?? now) >= patienceMs);
    if (beyond.length > 0) throw new LockBlockedError(wait.ticket.keys, waitMs, new Set(beyond));
    return true;
  }

  /** The time until the first of its keys counts as blocked. */
  private patienceOf({ options, blockedSince }: Wait): number {
    const patienceMs = options.patienceMs ?? BLOCKED_AFTER_MS;
    const first = Math.min(...blockedSince.values());
    const leftMs = first + patienceMs - performance.now();
    return leftMs > 0 ? leftMs : Number.POSITIVE_INFINITY;
  }

  /** Waits until the ticket is first in all its local queues. */
  private async turn(wait: Wait): Promise<void> {
    const { ticket } = wait;
    for (;;) {
      this.check(wait);
      const leftMs = wait.deadline - performance.now();
      // A request with a limited patience checks now and then whether those before it wait for a blocked key.
      const sleepMs = wait.options.patienceMs === undefined ? leftMs : Math.min(leftMs, BLOCKED_AFTER_MS);
      await ticket.sleep(sleepMs, wait.options.signal);
      // Read through a function call, because the state changes while this sleeps.
      if (isActive(ticket)) return;
      if (wait.options.patienceMs !== undefined) this.assertUnblocked(wait);
    }
  }

  private assertUnblocked({ ticket, options }: Wait): void {
    const blocked = ticket.keys.filter((key) => this.blocked.includes(key));
    if (blocked.length > 0) throw new LockBlockedError(ticket.keys, options.waitMs, new Set(blocked));
  }

  private check(wait: Wait): void {
    const { signal, waitMs } = wait.options;
    signal?.throwIfAborted();
    if (performance.now() < wait.deadline) return;
    // The keys were busy until the end and the deadline cut off the last attempt: that is a timeout, not an outage.
    const isCutOff = wait.failure instanceof StoreTimeoutError && wait.conflicts > 0;
    if (wait.failure === undefined || isCutOff) throw new LockTimeoutError(wait.ticket.keys, waitMs);
    throw new LockBackendUnavailableError('the lock store is not available', { cause: wait.failure });
  }

  /** Leaves the store's queue, so that a key which was reserved for this request goes to the next. */
  private leaveStore(wait: Wait): void {
    const { ticket, owner, since, queuedAt } = wait;
    queuedAt?.release({ keys: ticket.keys, owner, since, token: 0n }).catch(() => undefined);
    wait.queuedAt = undefined;
  }

  private newOwner(): string {
    return `${this.options.processId}.${(this.sequence += 1).toString(36)}`;
  }
}

function isActive(ticket: Ticket): boolean {
  return ticket.state === 'active';
}
