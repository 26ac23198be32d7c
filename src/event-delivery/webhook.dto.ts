import { z } from 'zod';
import { pageSchema } from '../platform/http/fields.js';
import { ONE_LINE } from '../common/text.js';
import { EVENT_TYPES } from '../platform/outbox/domain-event.js';
import { DELIVERY_STATES, DeliveryState } from './delivery-state.js';
import type { DeliveryRow } from './webhook-delivery.repository.js';
import type { EndpointRow } from './webhook-endpoint.repository.js';

const NIL = '00000000-0000-0000-0000-000000000000';
/** An id that cannot exist is answered 404 rather than 400. */
export const webhookIdSchema = z
  .string()
  .meta({ format: 'uuid' })
  .transform((id) => (z.uuid().safeParse(id).success ? id : NIL));

export const endpointSchema = z
  .strictObject({
    url: z
      .string()
      .max(2_000)
      .refine((text) => URL.canParse(text), 'must be a URL'),
    events: z
      .array(z.enum([...EVENT_TYPES, '*']))
      .min(1)
      .max(EVENT_TYPES.length + 1)
      .default(['*']),
    description: z.string().max(500).regex(ONE_LINE, 'must be one line of text').default(''),
  })
  .meta({
    id: 'WebhookEndpointRequest',
    examples: [
      { url: 'https://shop.example.com/hooks', events: ['order.confirmed', 'order.rejected'], description: 'shop' },
    ],
  });
export type EndpointBody = z.infer<typeof endpointSchema>;

const page = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional().meta({ description: '`nextCursor` of the page before' }),
};
export const endpointListSchema = z.strictObject(page);
export type EndpointListQuery = z.infer<typeof endpointListSchema>;
export const deliveryListSchema = z.strictObject({ ...page, state: z.enum(DELIVERY_STATES).optional() });
export type DeliveryListQuery = z.infer<typeof deliveryListSchema>;

const timeSchema = z.iso.datetime();

export const endpointViewSchema = z
  .object({
    id: z.uuid(),
    url: z.string().meta({ examples: ['https://shop.example.com/hooks'] }),
    events: z.array(z.string()).meta({ examples: [['order.confirmed', 'order.rejected']] }),
    description: z.string(),
    state: z.enum(['ENABLED', 'DISABLED']).meta({ examples: ['ENABLED'] }),
    disabledReason: z.string().optional(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'WebhookEndpoint' });

export const endpointWithSecretSchema = endpointViewSchema
  .extend({ secret: z.string().meta({ description: 'Signs the deliveries (Standard Webhooks); shown only here' }) })
  .meta({ id: 'WebhookEndpointWithSecret' });

export const endpointPageSchema = pageSchema(endpointViewSchema, 'WebhookEndpointPage');

export const deliveryViewSchema = z
  .object({
    id: z.uuid(),
    endpointId: z.uuid(),
    eventId: z.uuid().meta({ description: 'The same for every attempt and every endpoint' }),
    type: z.string().meta({ examples: ['order.confirmed'] }),
    subject: z.string().meta({ description: 'What the event is about: an order, or a reservation' }),
    state: z.enum(DELIVERY_STATES).meta({ examples: ['DELIVERED'] }),
    attempts: z.int().meta({ examples: [1] }),
    lastStatus: z
      .int()
      .nullable()
      .meta({ examples: [204] }),
    lastError: z.string().nullable(),
    lastAttemptAt: timeSchema.nullable(),
    nextAttemptAt: timeSchema
      .nullable()
      .meta({ description: 'Null once it has ended, and while an earlier event of the same subject is not through' }),
    deliveredAt: timeSchema.nullable(),
    createdAt: timeSchema,
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryPageSchema = pageSchema(deliveryViewSchema, 'WebhookDeliveryPage');

export interface EndpointView {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly state: 'ENABLED' | 'DISABLED';
  readonly disabledReason?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Only creation and rotation answer with the secret. */
export interface EndpointWithSecret extends EndpointView {
  readonly secret: string;
}

export interface DeliveryView {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly subject: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastAttemptAt: string | null;
  /** Null once it has ended, and while an earlier event of the same subject is open. */
  readonly nextAttemptAt: string | null;
  readonly deliveredAt: string | null;
  readonly createdAt: string;
}

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
}

export function toEndpointView(row: EndpointRow): EndpointView {
  const { id, url, events, description, disabledAt, disabledReason } = row;
  return {
    id,
    url,
    events,
    description,
    state: disabledAt ? 'DISABLED' : 'ENABLED',
    ...(disabledReason !== null && { disabledReason }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toDeliveryView(row: DeliveryRow): DeliveryView {
  const { lastAttemptAt, nextAttemptAt, deliveredAt, createdAt, ...rest } = row;
  return {
    ...rest,
    lastAttemptAt: lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** The rows include one more than asked for, which shows whether there is a next page. */
export function toPage<R extends { id: string }, V>(rows: readonly R[], limit: number, view: (row: R) => V): Page<V> {
  const shown = rows.slice(0, limit);
  return { items: shown.map(view), nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
