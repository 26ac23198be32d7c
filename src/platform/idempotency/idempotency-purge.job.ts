import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../postgres/transaction-runner.js';
import type { Loop } from '../loops/loop.js';
import { Loops } from '../loops/loops.js';
import type { Queryable, Tx } from '../postgres/tx.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { KeyScopeTransition } from './key-scope-transition.js';

const BATCH = 5_000;
const RETENTION = { keptSeconds: 24 * 3_600, againSeconds: 3_600 };

/** Whoever runs the sagas that keys stand for. */
export interface SagaEnds {
  /** When each saga ended, null for one that is open; a saga that does not exist any more is left out. */
  endsOf(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Date | null>>;
}

/**
 * Keys are kept for 24 hours, and those of a saga for as long as it is open and 24 hours beyond its end: a retry must find
 * the order, however long its payment takes. Only what is due is looked at, by its index, in batches, and every batch is
 * forgotten or put off, so that what has to stay is not looked at again and again. Every instance may purge: batches skip
 * what another one has locked.
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

  /** Until somebody is named here, every saga counts as open. */
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
