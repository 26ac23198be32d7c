import { Injectable } from '@nestjs/common';
import { FROM_NEWEST, statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';

/** Without its secrets: they leave the database only for the one who signs. */
export interface EndpointRow {
  readonly id: string;
  readonly url: string;
  readonly events: string[];
  readonly description: string;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Subscriber {
  readonly id: string;
  readonly events: string[];
}

export interface NewEndpoint extends Subscriber {
  readonly url: string;
  readonly description: string;
  readonly secret: Buffer;
}

const COLUMNS = `id, url, events, description, disabled_at AS "disabledAt", disabled_reason AS "disabledReason",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const INSERT = statement(
  'webhook-endpoints.insert',
  `INSERT INTO webhook_endpoints (id, url, events, description, secret) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
);

const FIND = statement('webhook-endpoints.find', `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $1`);

const LIST = statement(
  'webhook-endpoints.list',
  `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id < coalesce($1, ${FROM_NEWEST}) ORDER BY id DESC LIMIT $2`,
);

const ANY = statement('webhook-endpoints.any', `SELECT EXISTS (SELECT 1 FROM webhook_endpoints) AS found`);

/** KEY SHARE: an endpoint cannot be deleted while deliveries to it are being written. */
const SUBSCRIBERS = statement(
  'webhook-endpoints.subscribers',
  `SELECT id, events FROM webhook_endpoints WHERE disabled_at IS NULL ORDER BY id FOR KEY SHARE`,
);

/**
 * Who rotates again, perhaps because the first answer was lost, must not cut off an endpoint that still has the secret
 * before: each keeps its own time. A header has room for a few, so the newest of them.
 */
const STILL_VALID = `FROM unnest(previous_secrets, previous_secrets_until) WITH ORDINALITY AS p (sealed, until, place)
  WHERE until > now() AND place > cardinality(previous_secrets) - 3 ORDER BY place`;
const ROTATE = statement(
  'webhook-endpoints.rotate',
  `UPDATE webhook_endpoints SET previous_secrets = ARRAY(SELECT sealed ${STILL_VALID}) || secret,
     previous_secrets_until = ARRAY(SELECT until ${STILL_VALID}) || now() + $3 * interval '1 second',
     secret = $2, updated_at = now()
   WHERE id = $1 RETURNING ${COLUMNS}`,
);

const DISABLE = statement(
  'webhook-endpoints.disable',
  `UPDATE webhook_endpoints SET disabled_at = coalesce(disabled_at, now()), disabled_reason = coalesce(disabled_reason, $2), updated_at = now()
   WHERE id = $1 RETURNING ${COLUMNS}`,
);

const ENABLE = statement(
  'webhook-endpoints.enable',
  `UPDATE webhook_endpoints SET disabled_at = NULL, disabled_reason = NULL, updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`,
);

/** What fell due meanwhile is due now: the sweep has passed by where it was. */
const MAKE_DUE = statement(
  'webhook-endpoints.make-due',
  `UPDATE webhook_deliveries SET next_attempt_at = now()
   WHERE endpoint_id = $1 AND state IN ('PENDING', 'RETRYING') AND next_attempt_at < now()`,
);

const REMOVE = statement(
  'webhook-endpoints.remove',
  `DELETE FROM webhook_endpoints WHERE id = $1 RETURNING ${COLUMNS}`,
);

/** Names this database, and no other: deployments may share a Redis server, and tests do. */
const NAMESPACE = statement(
  'webhook-endpoints.namespace',
  `SELECT md5(concat_ws('/', (SELECT system_identifier FROM pg_control_system()), oid, datname)) AS namespace
   FROM pg_database WHERE datname = current_database()`,
);

@Injectable()
export class WebhookEndpointRepository {
  async insert(db: Queryable, { id, url, events, description, secret }: NewEndpoint): Promise<EndpointRow | undefined> {
    return (await db.query<EndpointRow>(INSERT, [id, url, events, description, secret]))[0];
  }

  async find(db: Queryable, id: string): Promise<EndpointRow | undefined> {
    return (await db.query<EndpointRow>(FIND, [id]))[0];
  }

  list(db: Queryable, before: string | undefined, limit: number): Promise<EndpointRow[]> {
    return db.query<EndpointRow>(LIST, [before ?? null, limit]);
  }

  async hasAny(db: Queryable): Promise<boolean> {
    return (await db.query<{ found: boolean }>(ANY, []))[0]?.found ?? false;
  }

  async namespace(db: Queryable): Promise<string> {
    return (await db.query<{ namespace: string }>(NAMESPACE, []))[0]?.namespace ?? '';
  }

  subscribers(tx: Tx): Promise<Subscriber[]> {
    return tx.query<Subscriber>(SUBSCRIBERS, []);
  }

  /** The old secret keeps signing, beside the new one, for `overlapSeconds`; so do those that were rotated out before it. */
  async rotate(db: Queryable, id: string, secret: Buffer, overlapSeconds: number): Promise<EndpointRow | undefined> {
    return (await db.query<EndpointRow>(ROTATE, [id, secret, overlapSeconds]))[0];
  }

  async disable(db: Queryable, id: string, reason: string): Promise<EndpointRow | undefined> {
    return (await db.query<EndpointRow>(DISABLE, [id, reason]))[0];
  }

  async enable(tx: Tx, id: string): Promise<EndpointRow | undefined> {
    tx.send(MAKE_DUE, [id]);
    return (await tx.query<EndpointRow>(ENABLE, [id]))[0];
  }

  /** Its deliveries go with it. */
  async remove(db: Queryable, id: string): Promise<EndpointRow | undefined> {
    return (await db.query<EndpointRow>(REMOVE, [id]))[0];
  }
}
