import type { EventEnvelope } from '../../platform/outbox/domain-event.js';

const SOURCE = '/checkout-saga';

/** CloudEvents 1.0 in the structured JSON format. */
export function toCloudEvent({ id, type, subject, occurredAt, data }: EventEnvelope) {
  return {
    specversion: '1.0',
    id,
    source: SOURCE,
    type,
    subject,
    time: occurredAt,
    datacontenttype: 'application/json',
    data,
  } as const;
}
