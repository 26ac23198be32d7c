import type { Tx } from '../../infrastructure/database/tx.js';
import type { IdempotencyRepository } from '../../infrastructure/idempotency/idempotency.repository.js';
import type { SagaRun } from '../../saga/saga-run.js';
import type { ClaimedKey } from '../checkout-data.js';

/** Somebody else's request came first with this key: nothing was written, its answer is to be looked up. */
export class KeyAlreadyClaimedError extends Error {}

/** Folds the claim of the Idempotency-Keys into a saga's first transaction; runs whose key is taken leave no trace. */
export async function claimKeys<D extends { sagaId: string; key: ClaimedKey }>(
  keys: IdempotencyRepository,
  tx: Tx,
  batch: readonly SagaRun<D>[],
): Promise<readonly SagaRun<D>[]> {
  // Of two requests with one key in one batch the first claims it: the key must name the saga that will exist.
  const first = new Map(batch.toReversed().map((run) => [run.data.key.id, run]));
  const claimed = await keys.claim(
    tx,
    [...first.values()].map(({ data }) => ({
      id: Buffer.from(data.key.id, 'hex'),
      fingerprint: Buffer.from(data.key.fingerprint, 'hex'),
      sagaId: data.sagaId,
      lockMs: data.key.lockMs,
    })),
  );
  for (const run of batch) {
    const { id } = run.data.key;
    if (!claimed.has(id) || first.get(id) !== run)
      run.abandon(new KeyAlreadyClaimedError('the Idempotency-Key is taken'));
  }
  return batch.filter((run) => !run.verdict);
}
