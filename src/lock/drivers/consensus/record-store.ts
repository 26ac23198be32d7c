import type { LockSignals } from '../../lock-driver.js';
import type { Change, Versioned } from './lock-record.js';
import type { StoreClock } from './store-clock.js';

/** Whom a commit concerns besides the caller. Owners, as in AcquireRequest. */
export interface Notices {
  /** Their turn has come. */
  readonly woken: readonly string[];
  /** They hold what somebody now waits for. */
  readonly contended: readonly string[];
  /** Begins to wait, or waits no longer. */
  readonly joins?: string;
  readonly leaves?: string;
}

/** Done, with the new versions in the order of the changes; or nothing was done, as one of the records had changed. */
export type CommitReply = { readonly isDone: true; readonly versions: readonly string[] } | { readonly isDone: false };

export interface ListedRecord extends Versioned {
  readonly key: string;
}

/** Thrown when the store did not answer, or answered that it cannot serve now. What was sent may have been executed. */
export class StoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailableError';
  }
}

/**
 * What the lock needs of a store that agrees by consensus: records with versions, changed together or not at all. Calls
 * end by themselves within a few seconds.
 */
export interface RecordStore {
  readonly name: string;
  readonly clock: StoreClock;
  /** More keys than these do not fit into one commit. */
  readonly maxKeys: number;
  read(keys: readonly string[]): Promise<(Versioned | undefined)[]>;
  /** As `read`, and sees every commit that any process made before. */
  readLatest(keys: readonly string[]): Promise<(Versioned | undefined)[]>;
  commit(changes: readonly Change[], notices: Notices): Promise<CommitReply>;
  list(limit: number): Promise<ListedRecord[]>;
  start(signals: LockSignals): Promise<void>;
  stop(): Promise<void>;
}
