import { Injectable } from '@nestjs/common';
import { expectingRows, statement } from '../database/statement.js';
import type { Queryable, Tx } from '../database/tx.js';

export interface KeyClaim {
  /** Hash of the caller, the route and the key. */
  readonly id: Buffer;
  /** Hash of the payload: the same key with another payload is a mistake. */
  readonly fingerprint: Buffer;
  readonly sagaId: string | null;
  /** Until then the owner is believed to be at work; after it the key may be re-attached to. */
  readonly lockMs: number;
}

/** An answer as it left, ready to leave again. */
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

const INSERT = `INSERT INTO idempotency_keys (id, fingerprint, saga_id, locked_until)
   SELECT id, fingerprint, saga_id, now() + lock_ms * interval '1 millisecond'
   FROM unnest($1::bytea[], $2::bytea[], $3::uuid[], $4::int[]) AS claim (id, fingerprint, saga_id, lock_ms)
   ORDER BY id
   ON CONFLICT DO NOTHING`;
const CLAIM = statement('idempotency.claim', `${INSERT} RETURNING id`);
const CLAIM_ALL = expectingRows('idempotency.claim-all', '$5', INSERT);

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

const REMEMBER = statement(
  'idempotency.remember',
  `INSERT INTO idempotency_keys (id, fingerprint, response, locked_until) VALUES ($1, $2, $3, now()) ON CONFLICT DO NOTHING`,
);

const UNLOCK = statement('idempotency.unlock', `UPDATE idempotency_keys SET locked_until = now() WHERE id = $1`);

const PURGE = statement(
  'idempotency.purge',
  `DELETE FROM idempotency_keys WHERE id IN (
     SELECT id FROM idempotency_keys WHERE created_at < now() - $1 * interval '1 second' AND locked_until < now()
     LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1 AS one`,
);

@Injectable()
export class IdempotencyRepository {
  /** Claims what nobody claimed before; answers the hex ids that are now ours. */
  async claim(tx: Tx, claims: readonly KeyClaim[]): Promise<Set<string>> {
    const rows = await tx.query<{ id: Buffer }>(CLAIM, claimParams(claims));
    return new Set(rows.map((row) => row.id.toString('hex')));
  }

  /** For keys that nobody is expected to have used: the transaction fails if one is taken. */
  claimAll(tx: Tx, claims: readonly KeyClaim[]): void {
    tx.expect(CLAIM_ALL, [...claimParams(claims), claims.length]);
  }

  find(db: Queryable, ids: readonly Buffer[]): Promise<KeyRecord[]> {
    return db.query<KeyRecord>(FIND, [ids]);
  }

  /** The answers commit with the effects they describe. */
  store(tx: Tx, answers: readonly { id: Buffer; response: StoredResponse }[]): void {
    tx.send(STORE, [answers.map((answer) => answer.id), answers.map((answer) => JSON.stringify(answer.response))]);
  }

  /** A definite refusal that left nothing else behind. */
  async remember(db: Queryable, id: Buffer, fingerprint: Buffer, response: StoredResponse): Promise<void> {
    await db.query(REMEMBER, [id, fingerprint, JSON.stringify(response)]);
  }

  /** The request was answered before its saga ended: from now on the key re-attaches. */
  async unlock(db: Queryable, id: Buffer): Promise<void> {
    await db.query(UNLOCK, [id]);
  }

  async purge(db: Queryable, olderThanSeconds: number, limit: number): Promise<number> {
    const rows = await db.query(PURGE, [olderThanSeconds, limit]);
    return rows.length;
  }
}

function claimParams(claims: readonly KeyClaim[]): unknown[] {
  return [
    claims.map((claim) => claim.id),
    claims.map((claim) => claim.fingerprint),
    claims.map((claim) => claim.sagaId),
    claims.map((claim) => claim.lockMs),
  ];
}
