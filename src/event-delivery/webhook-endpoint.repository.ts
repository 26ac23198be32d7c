import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { Entities } from '../platform/postgres/entities.js';
import { columnsOf } from '../platform/postgres/entity-columns.js';
import { statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Without the secrets, which leave the database only to sign. */
const MEMBERS = [
  'id',
  'url',
  'events',
  'description',
  'disabledAt',
  'disabledReason',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof WebhookEndpoint)[];
const COLUMNS = columnsOf(WebhookEndpoint, MEMBERS);

export type EndpointRow = Readonly<Pick<WebhookEndpoint, (typeof MEMBERS)[number]>>;
export type Subscriber = Readonly<Pick<WebhookEndpoint, 'id' | 'events'>>;
export type NewEndpoint = Readonly<Pick<WebhookEndpoint, 'id' | 'url' | 'events' | 'description' | 'secret'>>;

/** KEY SHARE: an endpoint cannot be deleted while deliveries to it are being written. */
const SUBSCRIBERS = statement(
  'webhook-endpoints.subscribers',
  `SELECT id, events FROM webhook_endpoints WHERE disabled_at IS NULL ORDER BY id FOR KEY SHARE`,
);

/**
 * A second rotation, perhaps because the first answer was lost, must not cut off an endpoint that still has the secret
 * before: every previous secret keeps its own end. A header has room for a few signatures, so the newest three stay.
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

/** The sweep walks by due time and has passed deliveries that fell due while the endpoint was disabled. They are due now. */
const MAKE_DUE = statement(
  'webhook-endpoints.make-due',
  `UPDATE webhook_deliveries SET next_attempt_at = now()
   WHERE endpoint_id = $1 AND state IN ('PENDING', 'RETRYING') AND next_attempt_at < now()`,
);

const REMOVE = statement(
  'webhook-endpoints.remove',
  `DELETE FROM webhook_endpoints WHERE id = $1 RETURNING ${COLUMNS}`,
);

/** Names this database and no other, because deployments may share a Redis server, and tests do. */
const NAMESPACE = statement(
  'webhook-endpoints.namespace',
  `SELECT md5(concat_ws('/', (SELECT system_identifier FROM pg_control_system()), oid, datname)) AS namespace
   FROM pg_database WHERE datname = current_database()`,
);

@Injectable()
export class WebhookEndpointRepository {
  constructor(private readonly entities: Entities) {}

  async insert(endpoint: NewEndpoint): Promise<EndpointRow | null> {
    await this.entities.of(WebhookEndpoint).insert(endpoint);
    return this.find(endpoint.id);
  }

  find(id: string): Promise<EndpointRow | null> {
    return this.entities.of(WebhookEndpoint).findOneBy({ id });
  }

  /** Newest first. */
  list(before: string | undefined, limit: number): Promise<EndpointRow[]> {
    const where = before === undefined ? {} : { id: LessThan(before) };
    return this.entities.of(WebhookEndpoint).find({ where, order: { id: 'DESC' }, take: limit });
  }

  hasAny(): Promise<boolean> {
    return this.entities.of(WebhookEndpoint).exists();
  }

  async namespace(db: Queryable): Promise<string> {
    return (await db.query<{ namespace: string }>(NAMESPACE, []))[0]?.namespace ?? '';
  }

  subscribers(tx: Tx): Promise<Subscriber[]> {
    return tx.query<Subscriber>(SUBSCRIBERS, []);
  }

  /** The old secret, and those rotated out before it, keep signing beside the new one for `overlapSeconds`. */
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

  /** Also removes its deliveries. */
  async remove(db: Queryable, id: string): Promise<EndpointRow | undefined> {
    return (await db.query<EndpointRow>(REMOVE, [id]))[0];
  }
}
