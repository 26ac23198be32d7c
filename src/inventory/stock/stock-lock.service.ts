import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { STOCK_LOCK, stockKey } from '../../lock/lock-keys.js';
import { FencedOutError } from '../../lock/lock-errors.js';
import { LockService } from '../../lock/lock.service.js';
import { LockedBatches, type LockedBatchOptions } from '../../lock/locked-batches.js';

const ATTEMPTS = 5;

/** Takes the locks of a set of SKUs outside the transaction and releases them after its commit. */
@Injectable()
export class StockLockService {
  constructor(private readonly locks: LockService) {}

  /** The work gets the fencing token and may run more than once. */
  run<T>(skus: Iterable<string>, work: (token: bigint) => Promise<T>): Promise<T> {
    const keys = Array.from(skus, stockKey);
    return this.unfenced(() => this.locks.withLock(keys, STOCK_LOCK, ({ token }) => work(token)));
  }

  /** The same without the items that want a SKU which another process keeps for long; undefined if all of them do. */
  async runFree<T, R>(
    items: readonly T[],
    skusOf: (item: T) => readonly string[],
    work: (items: readonly T[]) => Promise<R>,
  ): Promise<R | undefined> {
    const keysOf = (item: T) => skusOf(item).map(stockKey);
    const { result } = await this.unfenced(() => this.locks.withFreeKeys(items, keysOf, STOCK_LOCK, work));
    return result;
  }

  /** Group commit under the locks of the items' SKUs. */
  batches<T, R>(
    skusOf: (item: T) => readonly string[],
    options: Pick<LockedBatchOptions<T, R>, 'batching' | 'maxKeys' | 'work'>,
  ): (item: T) => Promise<R> {
    const keysOf = (item: T) => skusOf(item).map(stockKey);
    const batches = new LockedBatches<T, R>(this.locks, { ...options, keysOf, termsOf: () => STOCK_LOCK });
    return (item) => this.unfenced(() => batches.run(item));
  }

  /** A later holder has written: nothing was committed, and the work is repeated under a newer token. */
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
    throw new DomainError('LOCK_TIMEOUT', 'The stock is contended, try again shortly', {}, { cause: fencedOut });
  }
}
