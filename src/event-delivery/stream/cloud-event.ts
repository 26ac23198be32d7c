import type { EventEnvelope } from '../../platform/outbox/domain-event.js';

const SOURCE = '/checkout-saga';

/** CloudEvents 1.0 in the structured JSON format; `traceparent` is its extension for distributed tracing. */
export function toCloudEvent({ id, type, subject, occurredAt, data }: EventEnvelope, traceparent?: string) {
  return {
    specversion: '1.0',
    id,
    source: SOURCE,
    type,
    subject,
    time: occurredAt,
    datacontenttype: 'application/json',
    ...(traceparent !== undefined && { traceparent }),
    data,
  } as const;
}
