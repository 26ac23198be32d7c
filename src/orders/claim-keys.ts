import type { Tx } from '../platform/postgres/tx.js';
import type { IdempotencyRepository } from '../platform/idempotency/idempotency.repository.js';
import type { Stage } from '../saga/saga-definition.js';
import type { StepContext } from '../saga/step-context.js';

/** The Idempotency-Key that the first transaction claims, in hex so that it survives JSON. */
export interface ClaimedKey {
  readonly id: string;
  /** What else the request is known by, while names of the release before are in use. */
  readonly aliases?: readonly string[] | undefined;
  readonly fingerprint: string;
  /** Of the key as the client sent it: an order can be found by it for good. */
  readonly digest?: string;
  readonly lockMs: number;
}

/** Somebody else's request came first with this key: nothing was written, its answer is to be looked up. */
export class KeyAlreadyClaimedError extends Error {}

interface Claiming {
  readonly sagaId: string;
  readonly key?: ClaimedKey | undefined;
}

/** Folds the claim of the Idempotency-Keys into a saga's first transaction; runs whose key is taken leave no trace. */
export async function claimKeys<D extends Claiming>(
  keys: IdempotencyRepository,
  tx: Tx,
  batch: readonly StepContext<D>[],
  { isOptimistic }: Stage,
): Promise<readonly StepContext<D>[]> {
  // Of two requests with one key in one batch the first claims it: the key must name the saga that will exist.
  const first = new Map(batch.toReversed().flatMap((run) => (run.data.key ? [[run.data.key.id, run] as const] : [])));
  const claims = [...first.values()].flatMap(({ data: { sagaId, key } }) =>
    key ? [Object.assign(bytesOf(key), { sagaId, lockMs: key.lockMs })] : [],
  );
  if (isOptimistic && claims.length === batch.length) {
    keys.claimAll(tx, claims); // they were looked up a moment ago, and nobody had used them
    for (const run of batch) run.update({ key: undefined } as Partial<D>);
    return batch;
  }
  const claimed = await keys.claim(tx, claims);
  for (const run of batch) {
    const { key } = run.data;
    if (key && (!claimed.has(key.id) || first.get(key.id) !== run))
      run.abandon(new KeyAlreadyClaimedError('the Idempotency-Key is taken'));
    else run.update({ key: undefined } as Partial<D>);
  }
  return batch.filter((run) => !run.hasVerdict);
}

export function bytesOf({ id, aliases = [], fingerprint }: ClaimedKey) {
  return { ids: [id, ...aliases].map((hex) => Buffer.from(hex, 'hex')), fingerprint: Buffer.from(fingerprint, 'hex') };
}
