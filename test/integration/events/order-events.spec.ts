import { KEYS } from '../../setup/app-process.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { eventually } from '../../setup/eventually.js';
import { checkOut, shelve } from '../../setup/shop.js';
import { openEvents, SseClient, SseMessage } from './sse-client.js';

const SKU = 'EVENT-1';

const SETTINGS = { EVENT_STREAM_HEARTBEAT_MS: '150', EVENT_STREAM_LIMIT: '4', EVENT_STREAM_IDLE_MS: '60000' };
const has = (type: string) => (messages: SseMessage[]) => messages.some((message) => message.event === type);

describe('the events of an order', () => {
  let here: TestApp;
  let there: TestApp;
  const clients: SseClient[] = [];
  beforeAll(async () => {
    here = await startTestApp(SETTINGS);
    there = await startTestApp(SETTINGS, here.database);
    await shelve(here.api, SKU, 100_000);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await eventually('all streams closed', () => Promise.all([openStreams(here), openStreams(there)]), {
      until: ([a, b]) => a + b === 0,
    });
  });
  afterAll(async () => {
    await there.close();
    await here.close();
  });

  const follow = async (app: TestApp, orderId: string, headers: Record<string, string>) => {
    const client = await openEvents(`${app.url}/v1/orders/${orderId}/events`, {
      'x-api-key': KEYS.STOREFRONT_API_KEY,
      ...headers,
    });
    clients.push(client);
    return client;
  };
  const confirmed = async () => {
    const { status, body } = await checkOut(here.api, SKU);
    expect(status).toBe(201);
    return { id: body.id as string, proof: { 'x-access-token': body.accessToken as string } };
  };

  it('tells the state now, then what happens, on whichever instance it happens', async () => {
    const { status, body } = await checkOut(here.api, SKU, 'pm_sandbox_slow', { prefer: 'respond-async' });
    expect(status).toBe(202);
    const proof = { 'x-access-token': body.accessToken as string };
    const streams = [await follow(here, body.id, proof), await follow(there, body.id, proof)];
    for (const stream of streams) {
      expect(stream.status).toBe(200);
      expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(stream.headers.get('cache-control')).toContain('no-store');
      const messages = await stream.until(has('order.confirmed'));
      expect(messages[0]).toMatchObject({ event: 'order.state', data: { id: body.id, state: 'PENDING' } });
      const events = messages.filter((message) => message.event !== 'order.state');
      expect(events.map((message) => message.event)).toEqual(['payment.captured', 'order.confirmed']);
      for (const { id, event, data } of events) {
        expect(data).toEqual({
          id,
          type: event,
          subject: body.id,
          occurredAt: expect.stringMatching(/^\d{4}-.*Z$/),
          data: expect.objectContaining({ orderId: body.id }),
        });
      }
      expect(stream.isEnded).toBe(false);
    }
    const ids = streams.map((stream) => stream.messages.flatMap(({ id }) => id ?? []));
    expect(ids[0]).toEqual(ids[1]);
  });

  it('ends after the order has, and lets a client resume', async () => {
    const { id, proof } = await confirmed();
    const stream = await follow(there, id, proof);
    await stream.until(has('order.state'));
    expect(stream.messages[0]).toMatchObject({ data: { state: 'CONFIRMED', payment: { state: 'CAPTURED' } } });
    const cancelled = await here.api.post(`/v1/orders/${id}/cancel`, undefined, { key: 'admin' });
    expect(cancelled.status).toBe(200);
    await stream.ended();
    expect(stream.messages.map((message) => message.event)).toEqual([
      'order.state',
      'refund.settled',
      'order.cancelled',
    ]);

    // The state's id is that of the newest event it covers, so a client that saw nothing else resumes right behind it.
    const [state, ...events] = stream.messages;
    const resumed = await follow(here, id, { ...proof, 'last-event-id': state!.id! });
    await resumed.ended();
    expect(resumed.messages[0]).toMatchObject({ event: 'order.state', data: { state: 'CANCELLED' } });
    expect(resumed.messages[0]!.id).toBeUndefined();
    expect(resumed.messages.slice(1)).toEqual(events);

    const done = await follow(here, id, { ...proof, 'last-event-id': events.at(-1)!.id! });
    expect(done.status).toBe(204);
    const unknown = await follow(here, id, { ...proof, 'last-event-id': 'something else' });
    await unknown.ended();
    expect(unknown.messages.map((message) => message.event)).toEqual([
      'order.state',
      'payment.captured',
      'order.confirmed',
      'refund.settled',
      'order.cancelled',
    ]);
  });

  it('takes an empty Last-Event-ID for none', async () => {
    const { id, proof } = await confirmed();
    const stream = await follow(here, id, { ...proof, 'last-event-id': '' });
    await stream.until(has('order.state'));
    await eventually('a heartbeat', () => stream.comments, {
      until: (comments) => comments.includes(': heartbeat'),
    });
    expect(stream.messages.map((message) => message.event)).toEqual(['order.state']);
    expect(stream.messages[0]!.id).toBeDefined();
  });

  it('ends at once for an order that was rejected', async () => {
    const { status, body } = await checkOut(here.api, SKU, 'pm_card_chargeDeclined');
    expect(status).toBe(402);
    const stream = await follow(here, body.orderId, { 'x-api-key': KEYS.ADMIN_API_KEY });
    await stream.ended();
    expect(stream.messages).toHaveLength(1);
    expect(stream.messages[0]).toMatchObject({ data: { state: 'REJECTED', rejection: { code: 'PAYMENT_DECLINED' } } });
  });

  it('asks for the same proof as the order itself', async () => {
    const { id, proof } = await confirmed();
    expect((await follow(here, id, {})).status).toBe(404);
    expect((await follow(here, id, { 'x-access-token': 'wrong' })).status).toBe(404);
    expect((await follow(here, 'no-uuid', proof)).status).toBe(404);
    expect((await follow(here, id, { 'x-api-key': 'wrong' })).status).toBe(401);
  });

  it('keeps the connection alive, and opens no more streams than it may', async () => {
    const { id, proof } = await confirmed();
    const streams = await Promise.all([1, 2, 3, 4].map(() => follow(here, id, proof)));
    const refused = await follow(here, id, proof);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await follow(there, id, proof)).status).toBe(200);
    await eventually('a heartbeat', () => streams[0]!.comments, {
      until: (comments) => comments.includes(': heartbeat'),
    });
    streams[0]!.close();
    await eventually('one stream fewer', () => openStreams(here), { until: (open) => open === 3 });
    expect((await follow(here, id, proof)).status).toBe(200);
    const head = await fetch(`${there.url}/v1/orders/${id}/events`, {
      method: 'HEAD',
      headers: { 'x-api-key': KEYS.ADMIN_API_KEY },
    });
    expect(head.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  it('closes its streams when it shuts down, and those that idle', async () => {
    const { id, proof } = await confirmed();
    const third = await startTestApp({ ...SETTINGS, EVENT_STREAM_IDLE_MS: '300' }, here.database);
    const idle = await follow(third, id, proof);
    await idle.ended();
    const fourth = await startTestApp(SETTINGS, here.database);
    const open = await follow(fourth, id, proof);
    await fourth.close(); // would not end while the stream is open
    await open.ended();
    await third.close();
  });
});

describe('event streams', () => {
  const LIMITS = { EVENT_STREAM_LIMIT: '9', EVENT_STREAMS_PER_ORDER: '3', EVENT_STREAMS_PER_CALLER: '5' };
  let test: TestApp;
  const clients: SseClient[] = [];
  beforeAll(async () => {
    test = await startTestApp({ ...LIMITS, TRUST_PROXY: 'true' });
    await shelve(test.api, SKU, 100_000);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await test.close();
  });

  /** Opens as many streams as it gets, and answers the refusal that ended it. */
  const openAll = async (orders: readonly { id: string; accessToken: string }[], address: string) => {
    for (let opened = 0; ; opened += 1) {
      const { id, accessToken } = orders[opened % orders.length]!;
      const path = `/v1/orders/${id}/events`;
      const headers = { 'x-access-token': accessToken, 'x-forwarded-for': address };
      const client = await openEvents(`${test.url}${path}`, { 'x-api-key': KEYS.STOREFRONT_API_KEY, ...headers });
      clients.push(client);
      if (client.status === 200) continue;
      const { status, body, headers: answered } = await test.api.get(path, { headers });
      return { opened, status, code: body.code, detail: body.detail, retryAfter: answered.get('retry-after') };
    }
  };

  it('can be taken neither by one token nor by one caller from all others', async () => {
    const orders = await Promise.all(Array.from({ length: 6 }, async () => (await checkOut(test.api, SKU)).body));
    const limited = { status: 429, code: 'RATE_LIMITED', retryAfter: '5' };
    expect(await openAll(orders.slice(0, 1), '203.0.113.1')).toEqual({
      ...limited,
      opened: 3,
      detail: 'At most 3 event streams may follow one order',
    });
    expect(await openAll(orders.slice(1), '203.0.113.1')).toEqual({
      ...limited,
      opened: 2,
      detail: 'At most 5 event streams may be open per caller',
    });
    const other = await openAll(orders.slice(1, 2), '203.0.113.2');
    expect(other).toMatchObject({ opened: 2, code: 'RATE_LIMITED' }); // the first caller follows it, too
    expect(await openAll(orders.slice(3), '203.0.113.3')).toMatchObject({
      opened: 2,
      status: 503,
      code: 'DEPENDENCY_UNAVAILABLE',
    });
    const metrics = (await test.api.get('/metrics', { key: 'admin' })).body as string;
    expect(metrics).toMatch(/^requests_limited_total\{limit="streams"\} 6$/m);
  });
});

async function openStreams({ app }: TestApp): Promise<number> {
  const { Metrics } = await import('../../../src/platform/metrics/metrics.js');
  const [value] = (await app.get(Metrics).registry.getSingleMetric('event_streams_open')!.get()).values;
  return value?.value ?? 0;
}
