import { messageOf } from '../common/error-message.js';
import type { Holding, LockDriver } from './lock-driver.js';
import type { Lease } from './lease.js';
import { LeaseLostError } from './lock-errors.js';

export interface HoldObserver {
  renewed(hold: LockHold, outcome: 'renewed' | 'failed' | 'lost'): void;
  lost(hold: LockHold, loss: LeaseLostError): void;
}

export interface HoldGrant {
  readonly driver: LockDriver;
  readonly keys: readonly string[];
  readonly owner: string;
  readonly since: number;
  readonly token: bigint;
  readonly spare: number;
  readonly leaseMs: number;
  /** performance.now() before the acquire was sent: the store cannot have started the lease earlier. */
  readonly sentAt: number;
  /** How long the first work may take. */
  readonly workMs: number;
}

/** A failed renewal is tried again this many times within what is left of the lease. */
const RETRIES_PER_LEASE = 10;

/**
 * This process's hold on keys in the store. It may serve several pieces of work one after another, each with its own
 * token. One timer does both renewal and deadline and never waits for I/O: with a hanging store the deadline still
 * comes on time.
 */
export class LockHold {
  readonly acquiredAt = performance.now();
  /** Renewals extend it. */
  deadline: number;
  loss: LeaseLostError | undefined;
  isContended = false;

  private lease: WorkLease;
  private lastToken: bigint;
  private readonly spareEnd: bigint;
  private renewAt: number;
  /** When the present work should have ended: from then on its lease is not renewed. */
  private workEndsAt: number;
  private isRenewing = false;
  private isStopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly grant: HoldGrant,
    private readonly observer: HoldObserver,
  ) {
    this.deadline = grant.sentAt + grant.leaseMs * (1 - grant.driver.drift);
    this.renewAt = grant.sentAt + grant.leaseMs / 3;
    this.workEndsAt = this.acquiredAt + grant.workMs;
    this.lastToken = grant.token;
    this.spareEnd = grant.token + BigInt(grant.spare);
    this.lease = new WorkLease(grant.token, this);
  }

  get current(): WorkLease {
    return this.lease;
  }

  get isAlive(): boolean {
    return this.loss === undefined && performance.now() < this.deadline;
  }

  /** For a local successor with the same keys: the next spare token, no round trip. */
  handOver(workMs: number): WorkLease {
    this.lastToken += 1n;
    this.workEndsAt = performance.now() + workMs;
    this.lease = new WorkLease(this.lastToken, this);
    return this.lease;
  }

  /**
   * Not while another process waits (it would starve), not beyond the tokens that the store set aside, and not with
   * less than half a lease left, because the successor expects a full one.
   */
  canHandOver(leaseMs: number): boolean {
    if (this.isContended || leaseMs !== this.grant.leaseMs || this.lastToken >= this.spareEnd) return false;
    return this.loss === undefined && this.deadline - performance.now() > leaseMs / 2;
  }

  /** No renewal starts after this, and one that is under way finds another generation in the store. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  holding(): Holding {
    return { ...this.grant, token: this.lastToken };
  }

  private get isOverdue(): boolean {
    return performance.now() >= this.workEndsAt;
  }

  /** Sets the timer for the next renewal, or for the end. */
  schedule(): void {
    if (this.isStopped) return;
    clearTimeout(this.timer);
    const next = this.isRenewing || this.isOverdue ? this.deadline : Math.min(this.renewAt, this.deadline);
    this.timer = setTimeout(() => this.tick(), Math.max(0, next - performance.now()));
  }

  private tick(): void {
    const now = performance.now();
    if (now >= this.deadline) {
      const why = this.isOverdue ? ', as its work took too long to renew it' : '';
      this.lose(new LeaseLostError(`the lease of ${this.grant.leaseMs} ms ran out${why}`));
      return;
    }
    if (now >= this.renewAt && !this.isRenewing && !this.isOverdue) void this.renew(now);
    this.schedule();
  }

  private async renew(sentAt: number): Promise<void> {
    const { driver, leaseMs } = this.grant;
    this.isRenewing = true;
    try {
      const outcome = await driver.renew({ ...this.holding(), token: this.spareEnd }, leaseMs);
      this.isRenewing = false;
      if (this.isStopped) return;
      if (outcome === 'lost') {
        this.observer.renewed(this, 'lost');
        this.lose(new LeaseLostError('the store no longer knows the lease'));
        return;
      }
      this.observer.renewed(this, 'renewed');
      if (outcome === 'contended') this.isContended = true;
      this.deadline = sentAt + leaseMs * (1 - driver.drift);
      this.renewAt = sentAt + leaseMs / 3;
    } catch (error) {
      this.isRenewing = false;
      if (this.isStopped) return;
      this.observer.renewed(this, 'failed');
      this.failure = messageOf(error);
      this.renewAt = performance.now() + leaseMs / RETRIES_PER_LEASE;
    }
    this.schedule();
  }

  private failure: string | undefined;

  /** Ends the hold for its work, which gets the reason. */
  lose(loss: LeaseLostError): void {
    if (this.loss || this.isStopped) return;
    this.stop();
    this.loss = this.failure ? new LeaseLostError(`${loss.message}; last renewal: ${this.failure}`) : loss;
    this.lease.abort(this.loss);
    this.observer.lost(this, this.loss);
  }
}

/**
 * The lease of one piece of work. The signal is created on first use, because most work ends long before it matters.
 */
export class WorkLease implements Lease {
  private controller: AbortController | undefined;
  private end: LeaseLostError | undefined;
  private isClosed = false;

  constructor(
    readonly token: bigint,
    private readonly hold: LockHold,
  ) {}

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.loss) this.controller.abort(this.loss);
    }
    return this.controller.signal;
  }

  assertHeld(): void {
    if (this.loss) throw this.loss;
  }

  remainingMs(): number {
    return this.isClosed || this.end || this.hold.loss ? 0 : Math.max(0, this.hold.deadline - performance.now());
  }

  /** The lock is lost: aborts the work's signal. */
  abort(loss: LeaseLostError): void {
    this.end ??= loss;
    this.controller?.abort(loss);
  }

  /** The work is done: a lease that is kept longer is useless. */
  close(): void {
    this.isClosed = true;
  }

  /** Why it is over; undefined while it is certainly held. */
  private get loss(): LeaseLostError | undefined {
    if (this.end ?? this.hold.loss) return this.end ?? this.hold.loss;
    if (this.isClosed) return new LeaseLostError('the lease was released');
    return performance.now() < this.hold.deadline ? undefined : new LeaseLostError('the lease expired');
  }
}

/** The lease of work that locks nothing. */
export function unboundLease(): Lease {
  return {
    token: 0n,
    signal: new AbortController().signal,
    assertHeld: () => undefined,
    remainingMs: () => Number.POSITIVE_INFINITY,
  };
}
