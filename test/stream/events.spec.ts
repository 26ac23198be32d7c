import { CloudEvent } from 'cloudevents';
import { randomUUID } from 'node:crypto';
import { eventually } from '../setup/eventually.js';
import { type NatsServer, prepareNats } from '../setup/nats-server.js';
import { basket, checkOut, newSku } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { expectSameOrder, storedEvents } from './event-order.js';
import { StreamClient } from './stream-client.js';

describe('events on a stream that was away at the start', () => {
  let nats: NatsServer;
  let test: TestApp;
  let client: StreamClient;
  let sku: string;

  beforeAll(async () => {
    nats = await prepareNats();
    test = await startTestApp({ STREAM_URL: nats.url });
    sku = await newSku(test.api, 100);
  });
  afterAll(async () => {
    await client.close();
    await test.close();
    await nats.remove();
  });

  const readiness = async () => (await test.api.get('/health/ready', { key: 'none' })).body;
  const allArrived = async () => {
    const stored = await storedEvents(test.database);
    return eventually('every event on the stream', () => client.events(), {
      until: (events) => events.length === stored.length,
      everyMs: 100,
    });
  };

  it('do not keep the shop from selling: it is degraded, not down', async () => {
    expect((await checkOut(test.api, sku)).status).toBe(201);
    expect(await readiness()).toMatchObject({ status: 'degraded', checks: { stream: { state: 'degraded' } } });
  });

  it('arrive when it comes, as CloudEvents', async () => {
    await checkOut(test.api, sku, 'pm_card_chargeDeclined');
    await nats.start();
    client = await StreamClient.open(nats.url);
    await client.commandsAreReady();
    const events = await allArrived();
    expect(events.map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(['payment.captured', 'order.confirmed', 'payment.declined', 'order.rejected']),
    );
    const stored = await storedEvents(test.database);
    for (const { subject, messageId, contentType, event } of events) {
      expect(() => new CloudEvent(event, true)).not.toThrow(); // validates
      const { type, subject: about, payload, createdAt } = stored.find(({ id }) => id === event.id)!;
      expect(event).toMatchObject({
        specversion: '1.0',
        type,
        subject: about,
        time: createdAt.toISOString(),
        data: payload,
      });
      expect({ subject, messageId, contentType }).toEqual({
        subject: `checkout.events.${type}`,
        messageId: event.id,
        contentType: 'application/cloudevents+json',
      });
    }
    await eventually('readiness', readiness, { until: ({ checks }) => checks.stream.state === 'up' });
  });

  it('wait while it is away in between, with the commands, and keep their order', async () => {
    const names = Array.from({ length: 5 }, () => randomUUID());
    await Promise.all(names.map((name) => client.send(name, basket(sku, { metadata: { name } }))));
    await nats.kill();
    const bought = await Promise.all(Array.from({ length: 5 }, () => checkOut(test.api, sku)));
    expect(bought.map(({ status }) => status)).toEqual(bought.map(() => 201));
    await test.api.post(`/v1/orders/${bought[0]!.body.id}/cancel`, undefined, { key: 'admin' });
    await nats.start();
    await client.reconnected();
    await eventually(
      'every command is an order',
      () =>
        test.database.query(`SELECT id FROM orders WHERE metadata->>'name' = ANY ($1) AND state = 'CONFIRMED'`, [
          names,
        ]),
      {
        until: (orders) => orders.length === names.length,
      },
    );
    await client.everythingIsAcknowledged();
    expectSameOrder(await allArrived(), await storedEvents(test.database));
  });

  it('are not repeated by a publisher that does not know how far another one came', async () => {
    const before = (await allArrived()).length;
    // As after a crash between the stream's answer and the commit, and with the broker's own memory of ids gone.
    await test.database.query(
      `INSERT INTO stream_queue (event_id, type, body) SELECT id, type, '{}' FROM outbox ORDER BY position DESC LIMIT 1`,
    );
    await eventually('an empty queue', () => test.database.query(`SELECT 1 FROM stream_queue`), {
      until: (rows) => rows.length === 0,
    });
    expect(await client.events()).toHaveLength(before);
  });
});
