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
  const claimed = await keys.claim(
    tx,
    batch.map(({ data }) => ({
      id: Buffer.from(data.key.id, 'hex'),
      fingerprint: Buffer.from(data.key.fingerprint, 'hex'),
      sagaId: data.sagaId,
      lockMs: data.key.lockMs,
    })),
  );
  const winners = new Set<string>();
  for (const run of batch) {
    const { id } = run.data.key;
    // Of two requests with one key in one batch the statement claims one: the first.
    if (claimed.has(id) && !winners.has(id)) winners.add(id);
    else run.abandon(new KeyAlreadyClaimedError('the Idempotency-Key is taken'));
  }
  return batch.filter((run) => !run.verdict);
}
