import type { EventEnvelope } from '../platform/outbox/domain-event.js';
import { OrderStream } from './order-stream.js';
import type { OrderView } from './order.dto.js';

const ORDER = { id: 'o', state: 'CONFIRMED' } as OrderView;
const event = (id: string, size = 0): EventEnvelope => ({
  id,
  type: 'refund.settled',
  subject: 'o',
  occurredAt: '2026-01-01T00:00:00.000Z',
  data: { padding: 'x'.repeat(size) },
});

describe('the stream of a client that does not read', () => {
  const open = () => {
    let isClosed = false;
    const stream = new OrderStream('o', () => (isClosed = true));
    stream.open({ order: ORDER, events: [], lastEventId: undefined });
    return { stream, isClosed: () => new Promise((resolve) => setImmediate(() => resolve(isClosed))) };
  };

  it('is cut off before it fills the memory', async () => {
    const { stream, isClosed } = open();
    for (let n = 0; n < 20; n += 1) stream.deliver(event(`event-${n}`, 10_000));
    expect(await isClosed()).toBe(false);
    for (let n = 20; n < 40; n += 1) stream.deliver(event(`event-${n}`, 10_000));
    expect(await isClosed()).toBe(true);
  });

  it('gives its place back at the beat after its end', async () => {
    const { stream, isClosed } = open();
    stream.deliver(event('event', 100_000));
    stream.beat();
    stream.end();
    expect(await isClosed()).toBe(false);
    stream.beat();
    expect(await isClosed()).toBe(true);
  });
});
