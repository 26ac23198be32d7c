import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../postgres/transaction-runner.js';
import type { Loop } from '../loops/loop.js';
import { Loops } from '../loops/loops.js';
import type { Queryable, Tx } from '../postgres/tx.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { KeyScopeTransition } from './key-scope-transition.js';

const BATCH = 5_000;
const RETENTION = { keptSeconds: 24 * 3_600, againSeconds: 3_600 };

/** Provided by the module that runs the sagas. */
export interface SagaEnds {
  /** When each saga ended, null for an open one. A saga that no longer exists is left out. */
  endsOf(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Date | null>>;
}

/**
 * Keys are kept for 24 hours. The key of a saga is kept while the saga is open and 24 hours beyond its end: a retry
 * must find its order, however long the payment takes. The job reads only due keys, by their index, in batches. It
 * deletes or postpones every key of a batch, so that keys which have to stay are not read again and again. Every
 * instance may purge: batches skip rows that another instance has locked.
 */
@Injectable()
export class IdempotencyPurgeJob {
  private readonly loop: Loop;
  private sagas: SagaEnds | undefined;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly keys: IdempotencyRepository,
    private readonly transition: KeyScopeTransition,
    loops: Loops,
  ) {
    const purge = async (): Promise<number> => {
      const purged = await this.transactions.run((tx) => this.purge(tx));
      if (purged < BATCH) await this.transition.look();
      return purged;
    };
    this.loop = loops.schedulePurge({ name: 'idempotency-purge', batch: BATCH, purge });
  }

  /** Until a source is registered, every saga counts as open. */
  askAboutSagas(sagas: SagaEnds): void {
    this.sagas = sagas;
  }

  run(): Promise<void> {
    return this.loop.runNow();
  }

  private async purge(tx: Tx): Promise<number> {
    const due = await this.keys.due(tx, BATCH);
    if (due.length === 0) return 0;
    const sagaIds = [...new Set(due.flatMap(({ sagaId }) => sagaId ?? []))];
    const ends = this.sagas
      ? await this.sagas.endsOf(tx, sagaIds)
      : new Map(sagaIds.map((sagaId) => [sagaId, null] as const));
    const known = due.flatMap(({ id, sagaId }) => {
      const endedAt = sagaId === null ? undefined : ends.get(sagaId);
      return endedAt === undefined ? [] : [{ id, endedAt }];
    });
    if (known.length > 0) this.keys.keep(tx, known, RETENTION);
    this.keys.forget(
      tx,
      due.map(({ id }) => id),
    );
    return due.length;
  }
}
