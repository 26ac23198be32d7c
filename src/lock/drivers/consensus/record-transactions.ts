import { setTimeout as sleep } from 'node:timers/promises';
import { StoreAwayError } from '../bounded.js';
import type { KnownRecords } from './known-records.js';
import type { Decision, Records } from './lock-decisions.js';
import { type RecordStore, StoreUnavailableError } from './record-store.js';
import { AWAY_AFTER_MS } from './session-timeout.js';

const RETRY_MS = 50;
/** Commits that others overtook, one after another, before the next one waits a little. */
const EAGER_ROUNDS = 3;
const OVERTAKEN_PAUSE_MS = 5;

/** One call of the driver. Once it is over, nothing more is sent for it. */
export class Call {
  isOver = false;
  /** Something may have been written for it, or may yet be. */
  hasCommitted = false;
}

/** Reads records, lets somebody decide what becomes of them, and commits that unless they have changed meanwhile. */
export class RecordTransactions {
  private failingSince: number | undefined;
  private failedAt = 0;

  constructor(
    private readonly store: RecordStore,
    private readonly known: KnownRecords,
  ) {}

  /** The decision may be made several times; the one that landed is answered. `expected` saves the first read. */
  async run<R>(
    call: Call,
    keys: readonly string[],
    expected: Records | undefined,
    decide: (records: Records) => Decision<R>,
  ): Promise<R> {
    let records = this.store.clock.isKnown ? expected : undefined;
    for (let round = 1; ; round += 1) {
      const from = performance.now();
      if (call.isOver) throw new StoreUnavailableError('the caller has gone');
      try {
        records ??= await this.store.read(keys);
        const decision = decide(records);
        if (decision.changes.length === 0 || (await this.land(call, decision))) {
          this.noteAnswer();
          return decision.result;
        }
        if (round > EAGER_ROUNDS) await sleep(Math.random() * OVERTAKEN_PAUSE_MS * round);
      } catch (error) {
        for (const key of keys) this.known.share(key);
        this.noteFailure(error, from);
        await sleep(RETRY_MS);
      }
      records = undefined;
    }
  }

  noteAnswer(): void {
    this.failingSince = undefined;
  }

  /** Whether it landed. */
  private async land<R>(call: Call, { changes, notices }: Decision<R>): Promise<boolean> {
    if (call.isOver) return false;
    call.hasCommitted = true;
    const reply = await this.store.commit(changes, notices);
    for (const [index, { key, record }] of changes.entries()) {
      if (reply.isDone) this.known.wrote(key, record, reply.versions[index] ?? '');
      else this.known.share(key);
    }
    return reply.isDone;
  }

  /** The store is given the time for an election before a request fails with it. */
  private noteFailure(error: unknown, from: number): void {
    if (!(error instanceof StoreUnavailableError)) throw error;
    const now = performance.now();
    // A failure of long ago, after which nobody asked, says nothing about now.
    if (now - this.failedAt > AWAY_AFTER_MS) this.failingSince = undefined;
    this.failedAt = now;
    this.failingSince ??= from;
    if (now - this.failingSince >= AWAY_AFTER_MS) throw new StoreAwayError(error);
  }
}
