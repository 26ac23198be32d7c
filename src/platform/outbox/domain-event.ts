export const EVENT_TYPES = [
  'order.confirmed',
  'order.rejected',
  'order.cancelled',
  'payment.authorized',
  'payment.authorization_expiring',
  'payment.authorization_expired',
  'payment.captured',
  'payment.declined',
  'payment.voided',
  'payment.disputed',
  'payment.dispute_closed',
  'refund.settled',
  'refund.failed',
  'reservation.expired',
  'saga.stuck',
  'command.dead_lettered',
] as const;

export type DomainEventType = (typeof EVENT_TYPES)[number];

export interface DomainEvent {
  readonly type: DomainEventType;
  /** The resource that the event is about, and the unit of ordering: an order id if there is one. */
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An event as receivers see it. The id stays the same however often the event is delivered. */
export interface EventEnvelope {
  readonly id: string;
  readonly type: DomainEventType;
  readonly subject: string;
  readonly occurredAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}
