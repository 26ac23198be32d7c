import { z } from 'zod';
import { type DomainEventType, EVENT_TYPES } from '../../outbox/domain-event.js';
import { convertSchema } from './schema-converter.js';

const id = z.uuid();
const amount = z.int().min(0).meta({ description: 'In minor units' });
const currency = z.string().meta({ examples: ['EUR'] });
const order = { orderId: id };
const refund = { ...order, refundId: id, amount };
const totals = z.array(z.object({ type: z.string(), label: z.string(), amount: z.int() }));
const payment = { ...order, paymentId: id, amount, currency, transactionId: z.string() };
const dispute = {
  ...payment,
  disputeId: z.string(),
  reason: z.string().meta({ description: 'The bank’s, in the provider’s words' }),
  respondBy: z.iso.datetime().optional().meta({ description: 'Until when the shop may answer' }),
};
const line = z.object({ sku: z.string(), quantity: z.int() });
const failure = { code: z.string(), detail: z.string() };

/** `data` of every type of event. A test compares them with what is really published. */
const DATA: Readonly<Partial<Record<DomainEventType, z.ZodRawShape>>> = {
  'order.confirmed': {
    ...order,
    total: amount,
    totals: totals.meta({ description: 'Where there are discounts or credit: they add up to amountDue' }).optional(),
    amountDue: amount.meta({ description: 'Where there are discounts or credit: what the card pays' }).optional(),
    currency,
    customer: z.object({ id: z.string().optional(), email: z.string().optional() }),
    lines: z.array(line.extend({ name: z.string(), unitAmount: amount, amount })),
  },
  'order.rejected': {
    ...order,
    rejection: z.object(failure).meta({ description: 'As in the order: members of the problem that refused it' }),
  },
  'order.cancelled': order,
  'payment.authorized': { ...payment, authorizedUntil: z.iso.datetime() },
  'payment.authorization_expiring': { ...payment, authorizedUntil: z.iso.datetime() },
  'payment.authorization_expired': payment,
  'payment.voided': payment,
  'payment.disputed': dispute,
  'payment.dispute_closed': { ...dispute, outcome: z.enum(['WON', 'LOST', 'CLOSED']) },
  'payment.captured': {
    ...payment,
    amount: amount.meta({ description: 'What was taken: a part of the amount due, where only a part was captured' }),
  },
  'payment.declined': { ...payment, declineCode: z.string() },
  'refund.settled': {
    ...refund,
    to: z.literal('credit').meta({ description: 'It went to an account, not to the card' }).optional(),
  },
  'refund.failed': { ...refund, reason: z.string() },
  'reservation.expired': {
    reservationId: id,
    orderId: id.nullable(),
    expiresAt: z.iso.datetime(),
    lines: z.array(line),
  },
  'saga.stuck': { sagaId: id, saga: z.string(), failure: z.object(failure).nullable() },
};

/** `order.confirmed` is described by `OrderConfirmedEvent`. */
function eventName(type: DomainEventType): string {
  const words = type.split(/[._]/);
  return `${words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}Event`;
}

function eventOf(type: DomainEventType): z.ZodType {
  return z.object({
    id: id.meta({ description: 'The same however often it is delivered: drop what you have seen' }),
    type: z.literal(type),
    subject: z.string().meta({ description: 'What it is about, and the unit of ordering: an order, or a reservation' }),
    occurredAt: z.iso.datetime().meta({ examples: ['2026-11-15T10:00:00.000Z'] }),
    data: z.object(DATA[type] ?? {}),
  });
}

const STATE_MESSAGE = {
  type: 'object',
  description: 'The order as it is now: the first message, and again whenever its payment moves without an event',
  properties: {
    event: { type: 'string', enum: ['order.state'] },
    id: { type: 'string', format: 'uuid' },
    data: { $ref: '#/components/schemas/OrderStateUpdate' },
  },
  required: ['event', 'data'],
};

const EVENT_MESSAGE = {
  type: 'object',
  description: 'A domain event of the order',
  properties: {
    event: { type: 'string', enum: EVENT_TYPES },
    id: { type: 'string', format: 'uuid', description: 'Sent back as Last-Event-ID by a client that reconnects' },
    data: { $ref: '#/components/schemas/DomainEvent' },
  },
  required: ['event', 'id', 'data'],
};

const STATE_UPDATE = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    state: { $ref: '#/components/schemas/Order/properties/state' },
    payment: {
      description: 'None before the payment was begun',
      anyOf: [
        {
          type: 'object',
          properties: {
            state: { $ref: '#/components/schemas/Payment/properties/state' },
            capturedAmount: { type: 'integer', minimum: 0 },
            refundedAmount: { type: 'integer', minimum: 0 },
          },
          required: ['state', 'capturedAmount', 'refundedAmount'],
        },
        { type: 'null' },
      ],
    },
    rejection: { $ref: '#/components/schemas/Rejection' },
    nextAction: { $ref: '#/components/schemas/NextAction' },
  },
  required: ['id', 'state', 'payment'],
};

/** Webhooks' bodies and the messages of event streams, which no route's JSON refers to. */
export function eventSchemas(): Record<string, unknown> {
  const refs = EVENT_TYPES.map((type) => [type, `#/components/schemas/${eventName(type)}`] as const);
  return {
    ...Object.fromEntries(
      EVENT_TYPES.map((type) => [eventName(type), convertSchema(eventOf(type), { schemaType: 'output' })?.schema]),
    ),
    DomainEvent: {
      oneOf: refs.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(refs) },
    },
    OrderStateUpdate: STATE_UPDATE,
    OrderStreamMessage: { oneOf: [STATE_MESSAGE, EVENT_MESSAGE] },
  };
}

/** The body of a stream of server-sent events, whose messages the schema describes: `data` is JSON in one line. */
export function streamOf(schema: string) {
  const contentSchema = { $ref: `#/components/schemas/${schema}` };
  return {
    'text/event-stream': {
      schema: { type: 'string', contentMediaType: 'text/event-stream', contentSchema } as { type: 'string' },
    },
  };
}
