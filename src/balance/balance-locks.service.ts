import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { FencedOutError } from '../lock/lock-errors.js';
import { type LockTimes } from '../lock/lock-keys.js';
import { LockService } from '../lock/lock.service.js';
import { LockedBatches, type LockedBatchOptions } from '../lock/locked-batches.js';

const ATTEMPTS = 5;

/** Takes the locks of balances outside the transaction and releases them after its commit. */
@Injectable()
export class BalanceLocks {
  constructor(private readonly locks: LockService) {}

  /** The work gets the fencing token and may run more than once. */
  run<T>(keys: Iterable<string>, terms: LockTimes, work: (token: bigint) => Promise<T>): Promise<T> {
    return this.unfenced(() => this.locks.withLock([...keys], terms, ({ token }) => work(token)));
  }

  /** The same without the items that need a key which another process has held for long; undefined if all items do. */
  async runFree<T, R>(
    items: readonly T[],
    keysOf: (item: T) => readonly string[],
    terms: LockTimes,
    work: (items: readonly T[]) => Promise<R>,
  ): Promise<R | undefined> {
    const { result } = await this.unfenced(() => this.locks.withFreeKeys(items, keysOf, terms, work));
    return result;
  }

  /** Group commit under the locks of the items' keys. */
  batches<T, R>(
    terms: LockTimes,
    options: Pick<LockedBatchOptions<T, R>, 'batching' | 'maxKeys' | 'keysOf' | 'work'>,
  ): (item: T) => Promise<R> {
    const batches = new LockedBatches<T, R>(this.locks, { ...options, termsOf: () => terms });
    return (item) => this.unfenced(() => batches.run(item));
  }

  /** A later holder of the lock has written. Nothing was committed, and the work is repeated with a newer token. */
  private async unfenced<T>(attempt: () => Promise<T>): Promise<T> {
    let fencedOut: FencedOutError | undefined;
    for (let attempts = 1; attempts <= ATTEMPTS; attempts += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof FencedOutError)) throw error;
        fencedOut = error;
      }
    }
    throw new DomainError('LOCK_TIMEOUT', 'It is contended, try again shortly', {}, { cause: fencedOut });
  }
}
