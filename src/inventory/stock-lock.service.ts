import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { STOCK_LOCK, stockKey } from '../lock/lock-keys.js';
import { FencedOutError } from '../lock/lock-errors.js';
import { LockService } from '../lock/lock.service.js';

const ATTEMPTS = 5;

/** The locks of a set of SKUs, taken outside the transaction and given back after its commit. */
@Injectable()
export class StockLockService {
  constructor(private readonly locks: LockService) {}

  /**
   * The work is given the fencing token and may run more than once: if a later holder has written meanwhile, nothing of
   * it was committed, and it starts again with a token of its own time.
   */
  async run<T>(skus: Iterable<string>, work: (token: bigint) => Promise<T>): Promise<T> {
    const keys = Array.from(skus, stockKey);
    let fencedOut: FencedOutError | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        return await this.locks.withLock(keys, STOCK_LOCK, ({ token }) => work(token));
      } catch (error) {
        if (!(error instanceof FencedOutError)) throw error;
        fencedOut = error;
      }
    }
    throw new DomainError('LOCK_TIMEOUT', 'The stock is contended, try again shortly', {}, { cause: fencedOut });
  }
}
