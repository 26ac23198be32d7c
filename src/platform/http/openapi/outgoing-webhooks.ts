import { z } from 'zod';
import { EVENT_TYPES } from '../../outbox/domain-event.js';

export const eventSchema = z
  .object({
    id: z.uuid().meta({ description: 'The same however often it is delivered: drop what you have seen' }),
    type: z.enum(EVENT_TYPES).meta({ examples: ['order.confirmed'] }),
    subject: z.string().meta({ description: 'What it is about, and the unit of ordering: an order, or a reservation' }),
    occurredAt: z.iso.datetime().meta({ examples: ['2026-11-15T10:00:00.000Z'] }),
    data: z.record(z.string(), z.unknown()).meta({ examples: [{ orderId: '0199c8f0-5a1e-7c3b-9d2e-4f6a8b0c1d2e' }] }),
  })
  .meta({ id: 'DomainEvent' });

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The events that registered endpoints receive, as OpenAPI 3.1 `webhooks`. */
export const OUTGOING_WEBHOOKS = {
  domainEvent: {
    post: {
      operationId: 'domainEvent',
      summary: 'A domain event',
      description:
        'Answer with a 2xx within the time-out; anything else is retried with backoff over days, then given up visibly. Verify the signature on the raw body.',
      tags: ['webhook endpoints'],
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event'),
        header('webhook-timestamp', 'Seconds since 1970, of this attempt'),
        header('webhook-signature', 'v1 signatures of the id, the timestamp and the body, separated by spaces'),
      ],
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/DomainEvent' } } } },
      responses: {
        '2XX': { description: 'Taken' },
        '4XX': { description: 'Not taken: delivered again later' },
      },
    },
  },
};
