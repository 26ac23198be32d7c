import { Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Deferred, deferred } from '../../common/deferred.js';

/** The database is known to be away, and the request was not sent. */
export class DatabaseAwayError extends Error {
  readonly code = 'ECONNREFUSED';

  constructor(reason: string) {
    super(`the database is away: ${reason}`);
    this.name = 'DatabaseAwayError';
  }
}

/** One failure may be an accident. After the second in a row, requests are refused without a wait. */
const FAILURES_TO_REFUSE = 2;
/** Longer than the probe takes for one attempt. */
const DOUBT_MS = 5_000;

/**
 * Whether this instance's database takes writes, reported by the probe and confirmed by commits. While it does not,
 * transactions are refused at once: otherwise every request would hold a connection until its deadline, and a server
 * that accepts connections without answering would get new ones until it has none left.
 */
@Injectable()
export class DatabaseAvailability {
  /** Neither refusing nor in doubt. A member, because every transaction asks. */
  isTrusted = true;
  private failures = 0;
  private reason: string | undefined;
  private writtenAt = performance.now();
  private doubt: Deferred<void> | undefined;
  /** How often there was reason for doubt: a write that began before the last one proves nothing. */
  doubts = 0;
  private onDoubt: () => void = () => undefined;

  /** Undefined while the database takes writes. */
  get problem(): string | undefined {
    return this.reason;
  }

  get isRefusing(): boolean {
    return this.failures >= FAILURES_TO_REFUSE;
  }

  /** The time since the last write. */
  get silentMs(): number {
    return performance.now() - this.writtenAt;
  }

  assertAvailable(): void {
    if (this.isRefusing) throw new DatabaseAwayError(this.reason ?? 'unknown');
    if (this.isInDoubt) throw new DatabaseAwayError(this.reason ?? 'its last commit is not confirmed');
  }

  /** Waits while there is doubt, which usually takes milliseconds. */
  async whenAvailable(): Promise<void> {
    if (this.doubt && !this.isRefusing)
      await Promise.race([this.doubt.promise, delay(DOUBT_MS, undefined, { ref: false })]);
    this.assertAvailable();
  }

  get isInDoubt(): boolean {
    return this.doubt !== undefined;
  }

  /**
   * The outcome of a commit is not known, or the server has gone. What can be read now may not be replicated: a primary that
   * has restarted, or whose wait for its standby was cancelled, shows commits that a failover would lose. Nothing is
   * read or written until a commit that began later was acknowledged, because the standby then has all before it.
   */
  noteDoubt(): void {
    this.doubts += 1;
    this.doubt ??= deferred();
    this.isTrusted = false;
    this.onDoubt();
  }

  /** Called whenever there is doubt, for whoever can settle it. */
  whenInDoubt(listener: () => void): void {
    this.onDoubt = listener;
  }

  /** A commit was acknowledged that began when there had been so many doubts. */
  settle(doubts: number): void {
    if (doubts !== this.doubts) return;
    this.doubt?.resolve();
    this.doubt = undefined;
    this.isTrusted = !this.isRefusing;
  }

  /** Something was committed. */
  noteWrite(): void {
    this.writtenAt = performance.now();
    this.failures = 0;
    this.reason = undefined;
    this.isTrusted = this.doubt === undefined;
  }

  /**
   * The probe could not write, and nothing else was written since it began. Returns whether work is refused from now
   * on.
   */
  noteFailure(reason: string): boolean {
    this.failures += 1;
    this.reason = reason;
    this.isTrusted = this.doubt === undefined && !this.isRefusing;
    return this.isRefusing;
  }
}
