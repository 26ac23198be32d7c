import { Injectable } from '@nestjs/common';
import { isUnexpectedCount } from '../postgres/sqlstate.js';
import { expectingRows, statement } from '../postgres/statement.js';
import type { Queryable, Tx } from '../postgres/tx.js';

export interface KeyClaim {
  /**
   * The hash of client, route and key; then the other names of the same request (KeyScopeTransition). All or none are
   * claimed.
   */
  readonly ids: readonly Buffer[];
  /** Hash of the payload: the same key with another payload is a mistake. */
  readonly fingerprint: Buffer;
  readonly sagaId: string | null;
  /** Until then the owner is assumed to be working. Afterwards another request may attach to the key. */
  readonly lockMs: number;
}

/** A stored answer, ready to be sent again. */
export interface StoredResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface KeyRecord {
  readonly id: Buffer;
  readonly fingerprint: Buffer;
  readonly sagaId: string | null;
  readonly response: StoredResponse | null;
  readonly isLocked: boolean;
}

/** A key that may be deleted. */
export interface DueKey {
  readonly id: Buffer;
  readonly sagaId: string | null;
}

/** Sorted, so that transactions that claim the same keys wait for each other in one order. */
const INSERT = `INSERT INTO idempotency_keys (id, scoped_to, fingerprint, saga_id, locked_until)
   SELECT id, scoped_to, fingerprint, saga_id, now() + lock_ms * interval '1 millisecond'
   FROM unnest($1::bytea[], $2::text[], $3::bytea[], $4::uuid[], $5::int[]) AS claim (id, scoped_to, fingerprint, saga_id, lock_ms)
   ORDER BY id
   ON CONFLICT DO NOTHING`;
const CLAIM = statement('idempotency.claim', `${INSERT} RETURNING id`);
const CLAIM_ALL = expectingRows('idempotency.claim-all', '$6', INSERT);
const GIVE_BACK = statement('idempotency.give-back', `DELETE FROM idempotency_keys WHERE id = ANY($1::bytea[])`);

const FIND = statement(
  'idempotency.find',
  `SELECT id, fingerprint, saga_id AS "sagaId", response, locked_until > now() AS "isLocked"
   FROM idempotency_keys WHERE id = ANY($1::bytea[])`,
);

const STORE = statement(
  'idempotency.store',
  `UPDATE idempotency_keys AS key SET response = answer.response, locked_until = now()
   FROM unnest($1::bytea[], $2::jsonb[]) AS answer (id, response) WHERE key.id = answer.id`,
);

const REMEMBER = expectingRows(
  'idempotency.remember',
  '$5',
  `INSERT INTO idempotency_keys (id, scoped_to, fingerprint, response, locked_until)
   SELECT id, scoped_to, $3, $4, now() FROM unnest($1::bytea[], $2::text[]) AS key (id, scoped_to) ORDER BY id
   ON CONFLICT DO NOTHING`,
);

const UNLOCK = statement(
  'idempotency.unlock',
  `UPDATE idempotency_keys SET locked_until = now() WHERE id = ANY($1::bytea[])`,
);

/** The condition of the partial index, word for word. */
const HAS_OF_SECRETS = statement(
  'idempotency.has-of-secrets',
  `SELECT EXISTS (SELECT FROM idempotency_keys WHERE scoped_to = 'secret') AS "hasAny"`,
);

const DUE = statement(
  'idempotency.due',
  `SELECT id, saga_id AS "sagaId" FROM idempotency_keys WHERE expires_at < now()
   ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED`,
);

/** Of a saga that is open (`endedAt` is null) or that ended less than $3 seconds ago. */
const KEEP = statement(
  'idempotency.keep',
  `UPDATE idempotency_keys AS key
   SET expires_at = CASE WHEN saga.ended_at IS NULL THEN now() + $4 * interval '1 second' ELSE saga.ended_at + $3 * interval '1 second' END
   FROM unnest($1::bytea[], $2::timestamptz[]) AS saga (key_id, ended_at)
   WHERE key.id = saga.key_id AND (saga.ended_at IS NULL OR saga.ended_at + $3 * interval '1 second' > now())`,
);

const FORGET = statement(
  'idempotency.forget',
  `DELETE FROM idempotency_keys WHERE id = ANY($1::bytea[]) AND expires_at < now()`,
);

@Injectable()
export class IdempotencyRepository {
  /** Claims the free keys and returns the first ids, in hex, of those that are now ours. */
  async claim(tx: Tx, claims: readonly KeyClaim[]): Promise<Set<string>> {
    const rows = await tx.query<{ id: Buffer }>(CLAIM, claimParams(claims));
    const inserted = new Set(rows.map((row) => row.id.toString('hex')));
    const isInserted = (id: Buffer) => inserted.has(id.toString('hex'));
    const lost = claims.filter(({ ids }) => !ids.every(isInserted));
    const halves = lost.flatMap(({ ids }) => ids.filter(isInserted));
    this.giveBack(tx, halves);
    return new Set(claims.filter((claim) => !lost.includes(claim)).map(({ ids }) => ids[0]?.toString('hex') ?? ''));
  }

  /** As if they had never been claimed. Only for keys that this transaction has claimed itself. */
  giveBack(tx: Tx, ids: readonly Buffer[]): void {
    if (ids.length > 0) tx.send(GIVE_BACK, [ids]);
  }

  /** For keys that are not expected to exist: the transaction fails if one does. */
  claimAll(tx: Tx, claims: readonly KeyClaim[]): void {
    tx.expect(CLAIM_ALL, [...claimParams(claims), claims.reduce((count, { ids }) => count + ids.length, 0)]);
  }

  /** For every list of ids, the record of the first known one. */
  async find(db: Queryable, requests: readonly (readonly Buffer[])[]): Promise<(KeyRecord | undefined)[]> {
    const records = await db.query<KeyRecord>(FIND, [requests.flat()]);
    if (records.length === 0) return requests.map(() => undefined);
    const known = new Map(records.map((record) => [record.id.toString('hex'), record]));
    return requests.map((ids) => {
      const id = ids.find((candidate) => known.has(candidate.toString('hex')));
      return id && known.get(id.toString('hex'));
    });
  }

  /** The answers commit with the effects they describe. */
  store(tx: Tx, answers: readonly { ids: readonly Buffer[]; response: StoredResponse }[]): void {
    const texts = answers.flatMap(({ ids, response }) => Array<string>(ids.length).fill(JSON.stringify(response)));
    tx.send(STORE, [answers.flatMap(({ ids }) => ids), texts]);
  }

  /** Stores a definite refusal that had no other effect; does nothing if the key was claimed meanwhile. */
  async remember(db: Queryable, ids: readonly Buffer[], fingerprint: Buffer, response: StoredResponse): Promise<void> {
    try {
      await db.query(REMEMBER, [ids, scopesOf(ids), fingerprint, JSON.stringify(response), ids.length]);
    } catch (error) {
      if (!isUnexpectedCount(error)) throw error;
    }
  }

  /** The request was answered before its saga ended: from now on retries attach to the saga. */
  async unlock(db: Queryable, ids: readonly Buffer[]): Promise<void> {
    await db.query(UNLOCK, [ids]);
  }

  /** Whether there is still a key that the previous release claimed. */
  async hasAnyOfSecrets(db: Queryable): Promise<boolean> {
    const [row] = await db.query<{ hasAny: boolean }>(HAS_OF_SECRETS, []);
    return row?.hasAny ?? true;
  }

  due(tx: Tx, limit: number): Promise<DueKey[]> {
    return tx.query<DueKey>(DUE, [limit]);
  }

  /**
   * Keys of open sagas are examined again after `againSeconds`; others are kept for `keptSeconds` beyond the saga's
   * end.
   */
  keep(
    tx: Tx,
    keys: readonly { id: Buffer; endedAt: Date | null }[],
    { keptSeconds, againSeconds }: { keptSeconds: number; againSeconds: number },
  ): void {
    tx.send(KEEP, [keys.map(({ id }) => id), keys.map(({ endedAt }) => endedAt), keptSeconds, againSeconds]);
  }

  /** The ids that are still due. */
  forget(tx: Tx, ids: readonly Buffer[]): void {
    tx.send(FORGET, [ids]);
  }
}

function claimParams(claims: readonly KeyClaim[]): unknown[] {
  const rows = claims.flatMap((claim) => claim.ids.map((id) => ({ id, claim })));
  return [
    rows.map(({ id }) => id),
    claims.flatMap(({ ids }) => scopesOf(ids)),
    rows.map(({ claim }) => claim.fingerprint),
    rows.map(({ claim }) => claim.sagaId),
    rows.map(({ claim }) => claim.lockMs),
  ];
}

function scopesOf(ids: readonly Buffer[]): ('client' | 'alias')[] {
  return ids.map((_, index) => (index === 0 ? 'client' : 'alias'));
}
