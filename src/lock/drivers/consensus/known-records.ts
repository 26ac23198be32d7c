import type { LockRecord, Versioned } from './lock-record.js';

const MAX_KNOWN = 20_000;
/** Well below the time for which stores keep a free record: a record that was deleted and made anew could look the same. */
const TRUSTED_MS = 60_000;

/**
 * What this process wrote last, so that the next commit need not read first. Only an expectation: a commit that is wrong
 * about a version does not land. A key of which nothing is known is expected not to exist, as most keys are used once;
 * one that others use, too, is read.
 */
export class KnownRecords {
  private readonly known = new Map<string, { readonly at: number; readonly entry: Versioned | 'shared' }>();

  /** Undefined if one of the keys has to be read. */
  expect(keys: readonly string[]): (Versioned | undefined)[] | undefined {
    const now = performance.now();
    const expected: (Versioned | undefined)[] = [];
    for (const key of keys) {
      const found = this.known.get(key);
      if (found && (found.entry === 'shared' || now - found.at > TRUSTED_MS)) return undefined;
      expected.push(found?.entry === 'shared' ? undefined : found?.entry);
    }
    return expected;
  }

  wrote(key: string, record: LockRecord, version: string): void {
    this.put(key, record.waiting.length > 0 || record.state === 'kept' ? 'shared' : { record, version });
  }

  /** Another process changed it. */
  share(key: string): void {
    this.put(key, 'shared');
  }

  private put(key: string, entry: Versioned | 'shared'): void {
    this.known.delete(key);
    this.known.set(key, { at: performance.now(), entry });
    if (this.known.size <= MAX_KNOWN) return;
    for (const oldest of this.known.keys()) {
      this.known.delete(oldest);
      return;
    }
  }
}
