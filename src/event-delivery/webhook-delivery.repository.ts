import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { Entities } from '../platform/postgres/entities.js';
import { columnsOf } from '../platform/postgres/entity-columns.js';
import { statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import type { DeliveryState } from './delivery-state.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

export interface NewDelivery extends Readonly<
  Pick<WebhookDelivery, 'id' | 'endpointId' | 'eventId' | 'type' | 'subject' | 'body' | 'trace'>
> {
  /** No earlier delivery of its chain is open: it may go at once. */
  readonly isHead: boolean;
}

/** Without the body, which an operator does not need and a list cannot afford. */
const MEMBERS = [
  'id',
  'endpointId',
  'eventId',
  'type',
  'subject',
  'state',
  'attempts',
  'lastStatus',
  'lastError',
  'lastAttemptAt',
  'nextAttemptAt',
  'deliveredAt',
  'createdAt',
] as const satisfies readonly (keyof WebhookDelivery)[];
const COLUMNS = columnsOf(WebhookDelivery, MEMBERS);

export type DeliveryRow = Readonly<Pick<WebhookDelivery, (typeof MEMBERS)[number]>>;

/** A delivery that may be sent, with everything that sending needs. */
export interface DueDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  readonly trace: string | null;
  readonly attempts: number;
  /** How long until it is due; zero from then on. */
  readonly waitMs: number;
  readonly url: string;
  readonly secret: Buffer;
  /** Rotated out, and still valid. */
  readonly previousSecrets: readonly Buffer[];
}

export interface OverdueDelivery {
  readonly id: string;
  readonly dueAt: string;
}

export interface AttemptResult {
  readonly status: number | null;
  readonly error: string | null;
}

export interface Chain {
  readonly endpointId: string;
  readonly subject: string;
}

export interface DeliveryFilter {
  readonly endpointId: string;
  readonly state?: DeliveryState | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

const OPEN = `state IN ('PENDING', 'RETRYING')`;

/**
 * Locks the last open delivery of each chain until our transaction has ended: the worker that ends that delivery
 * afterwards sees what we append and releases it. Only the last one, because locking more of a chain could deadlock with
 * a worker that ends one of them.
 */
const LOCK_TAILS = statement(
  'webhook-deliveries.lock-tails',
  `SELECT chain.endpoint_id AS "endpointId", chain.subject
   FROM unnest($1::uuid[], $2::text[]) AS chain (endpoint_id, subject)
   CROSS JOIN LATERAL (
     SELECT id FROM webhook_deliveries AS tail
     WHERE tail.endpoint_id = chain.endpoint_id AND tail.subject = chain.subject AND ${OPEN}
     ORDER BY position DESC LIMIT 1 FOR SHARE) AS open`,
);

const INSERT = statement(
  'webhook-deliveries.insert',
  `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, type, subject, body, trace, next_attempt_at)
   SELECT id, endpoint_id, event_id, type, subject, body, trace, CASE WHEN is_head THEN now() END
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[]) WITH ORDINALITY
     AS d (id, endpoint_id, event_id, type, subject, body, trace, is_head, place)
   ORDER BY place
   ON CONFLICT DO NOTHING`,
);

const FIND_DUE = statement(
  'webhook-deliveries.find-due',
  `SELECT d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.type, d.body, d.trace, d.attempts,
     greatest(0, extract(epoch FROM d.next_attempt_at - now()) * 1000)::int AS "waitMs", e.url, e.secret,
     ARRAY(SELECT sealed FROM unnest(e.previous_secrets, e.previous_secrets_until) AS p (sealed, until)
       WHERE until > now()) AS "previousSecrets"
   FROM webhook_deliveries AS d JOIN webhook_endpoints AS e ON e.id = d.endpoint_id
   WHERE d.id = $1 AND d.${OPEN} AND d.next_attempt_at IS NOT NULL AND e.disabled_at IS NULL`,
);

/** The due time is text: a Date would cut off the microseconds, and the walk would meet the same row again. */
const OVERDUE = statement(
  'webhook-deliveries.overdue',
  `SELECT d.id, d.next_attempt_at::text AS "dueAt"
   FROM webhook_deliveries AS d JOIN webhook_endpoints AS e ON e.id = d.endpoint_id AND e.disabled_at IS NULL
   WHERE d.${OPEN} AND d.next_attempt_at < now() - $1 * interval '1 millisecond'
     AND (d.next_attempt_at, d.id) > ($2::timestamptz, $3::uuid)
   ORDER BY d.next_attempt_at, d.id LIMIT $4`,
);

const POSTPONE = statement(
  'webhook-deliveries.postpone',
  `UPDATE webhook_deliveries SET state = 'RETRYING', attempts = attempts + 1, last_status = $2, last_error = $3,
     last_attempt_at = now(), next_attempt_at = now() + $4 * interval '1 millisecond'
   WHERE id = $1 AND ${OPEN}`,
);

const END = statement(
  'webhook-deliveries.end',
  `UPDATE webhook_deliveries SET state = $2, attempts = attempts + 1, last_status = $3, last_error = $4,
     last_attempt_at = now(), next_attempt_at = NULL, delivered_at = CASE WHEN $2 = 'DELIVERED' THEN now() ELSE delivered_at END
   WHERE id = $1 AND ${OPEN} RETURNING endpoint_id AS "endpointId", subject`,
);

/**
 * Replays can make several deliveries of a chain due at once. FOR UPDATE waits for one that is ending at this moment and
 * then passes it over. Without the lock that one would be made due again, and none of the others.
 */
const RELEASE_NEXT = statement(
  'webhook-deliveries.release-next',
  `UPDATE webhook_deliveries SET next_attempt_at = coalesce(next_attempt_at, now()) WHERE id = (
     SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND subject = $2 AND ${OPEN} ORDER BY position LIMIT 1 FOR UPDATE)
   RETURNING id`,
);

const REPLAY = statement(
  'webhook-deliveries.replay',
  `UPDATE webhook_deliveries SET state = 'PENDING', attempts = 0, next_attempt_at = now()
   WHERE endpoint_id = $1 AND id = $2 AND (NOT ${OPEN} OR next_attempt_at IS NOT NULL) RETURNING ${COLUMNS}`,
);

const PURGE = statement(
  'webhook-deliveries.purge',
  `DELETE FROM webhook_deliveries WHERE id IN (
     SELECT id FROM webhook_deliveries WHERE created_at < now() - $1 * interval '1 second' AND NOT ${OPEN}
     LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1 AS one`,
);

const BACKLOG = statement(
  'webhook-deliveries.backlog',
  `SELECT (SELECT count(*) FROM webhook_deliveries WHERE ${OPEN}) AS open,
     (SELECT count(*) FROM webhook_deliveries WHERE state = 'DEAD') AS dead,
     (SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 FROM webhook_deliveries WHERE ${OPEN}) AS "lagSeconds"`,
);

@Injectable()
export class WebhookDeliveryRepository {
  constructor(private readonly entities: Entities) {}

  /** The chains that have an open delivery. It stays open until this transaction ends. */
  lockTails(tx: Tx, chains: readonly Chain[]): Promise<Chain[]> {
    return tx.query<Chain>(LOCK_TAILS, [chains.map((chain) => chain.endpointId), chains.map((chain) => chain.subject)]);
  }

  insert(tx: Tx, deliveries: readonly NewDelivery[]): void {
    const columns = ['id', 'endpointId', 'eventId', 'type', 'subject', 'body', 'trace', 'isHead'] as const;
    tx.send(
      INSERT,
      columns.map((name) => deliveries.map((delivery) => delivery[name])),
    );
  }

  /** Undefined if it has ended, waits for an earlier one, or its endpoint is disabled or removed. */
  async findDue(db: Queryable, id: string): Promise<DueDelivery | undefined> {
    return (await db.query<DueDelivery>(FIND_DUE, [id]))[0];
  }

  /** A page of the deliveries that have been due for longer than `graceMs`, the longest due first, after `behind`. */
  overdue(
    db: Queryable,
    graceMs: number,
    behind: OverdueDelivery | undefined,
    limit: number,
  ): Promise<OverdueDelivery[]> {
    const { dueAt, id } = behind ?? { dueAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
    return db.query<OverdueDelivery>(OVERDUE, [graceMs, dueAt, id, limit]);
  }

  async postpone(db: Queryable, id: string, { status, error }: AttemptResult, delayMs: number): Promise<void> {
    await db.query(POSTPONE, [id, status, error, delayMs]);
  }

  /**
   * Ends the delivery, releases the next one of its chain and returns its id. Two statements, because the second must see
   * what was appended while the first waited.
   */
  async end(
    tx: Tx,
    id: string,
    state: 'DELIVERED' | 'DEAD',
    { status, error }: AttemptResult,
  ): Promise<string | undefined> {
    const [chain] = await tx.query<{ endpointId: string; subject: string }>(END, [id, state, status, error]);
    if (!chain) return undefined;
    const [next] = await tx.query<{ id: string }>(RELEASE_NEXT, [chain.endpointId, chain.subject]);
    return next?.id;
  }

  /** Undefined if it does not exist, or waits for an earlier one. */
  async replay(db: Queryable, endpointId: string, id: string): Promise<DeliveryRow | undefined> {
    return (await db.query<DeliveryRow>(REPLAY, [endpointId, id]))[0];
  }

  exists(endpointId: string, id: string): Promise<boolean> {
    return this.entities.of(WebhookDelivery).existsBy({ endpointId, id });
  }

  /** Newest first. */
  list({ endpointId, state, before, limit }: DeliveryFilter): Promise<DeliveryRow[]> {
    return this.entities.of(WebhookDelivery).find({
      where: { endpointId, ...(state && { state }), ...(before !== undefined && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  async purge(db: Queryable, olderThanSeconds: number, limit: number): Promise<number> {
    return (await db.query(PURGE, [olderThanSeconds, limit])).length;
  }

  async backlog(db: Queryable): Promise<{ open: number; dead: number; lagSeconds: number }> {
    const [row] = await db.query<{ open: number; dead: number; lagSeconds: number }>(BACKLOG, []);
    return row ?? { open: 0, dead: 0, lagSeconds: 0 };
  }
}
