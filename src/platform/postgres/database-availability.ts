import { Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';

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

/**
 * Whether this instance's database takes writes, reported by the probe and confirmed by commits. While it does not,
 * transactions are refused at once: otherwise every request would hold a connection until its deadline, and a server
 * that accepts connections without answering would get new ones until it has none left.
 */
@Injectable()
export class DatabaseAvailability {
  private failures = 0;
  private reason: string | undefined;
  private writtenAt = performance.now();

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
  }

  /** Something was committed. */
  noteWrite(): void {
    this.writtenAt = performance.now();
    this.failures = 0;
    this.reason = undefined;
  }

  /**
   * The probe could not write, and nothing else was written since it began. Returns whether work is refused from now
   * on.
   */
  noteFailure(reason: string): boolean {
    this.failures += 1;
    this.reason = reason;
    return this.isRefusing;
  }
}
