import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { requiredEnv } from '../../setup/test-database.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { accept, answer, ReceivedMessage, Receiver, startReceiver } from './receiver.js';
import { eventually } from '../../setup/eventually.js';
import { checkOut, shelve } from '../../setup/shop.js';

const SKU = 'EVENT-1';

const SETTINGS = {
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  WEBHOOK_RETRY_BASE_MS: '40',
  WEBHOOK_MAX_ATTEMPTS: '3',
  WEBHOOK_TIMEOUT_MS: '2000',
};
const admin = { key: 'admin' } as const;
const typesOf = (messages: ReceivedMessage[]) => messages.map(({ event }) => event.type);
const verified = (secret: string, { raw, headers }: ReceivedMessage) =>
  new Webhook(secret).verify(raw, headers as Record<string, string>);

describe.each([
  ['PostgreSQL', () => ({})],
  ['Redis', () => ({ REDIS_URL: requiredEnv('TEST_REDIS_URL') })],
])('webhooks queued on %s', (_, backend) => {
  let test: TestApp;
  let receiver: Receiver;
  beforeAll(async () => {
    test = await startTestApp({ ...SETTINGS, ...backend() });
    await shelve(test.api, SKU, 100_000);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const { id } of (await test.api.get('/v1/webhook-endpoints', admin)).body.items)
      await test.api.delete(`/v1/webhook-endpoints/${id}`, admin);
    await receiver.close();
  });

  const register = async (body: object = {}) => {
    const created = await test.api.post('/v1/webhook-endpoints', { url: receiver.url, ...body }, admin);
    expect(created.status).toBe(201);
    return created.body as { id: string; secret: string };
  };
  const order = async () => (await checkOut(test.api, SKU)).body.id as string;
  const path = (id: string, rest = '') => `/v1/webhook-endpoints/${id}${rest}`;
  const deliveries = async (id: string, query = '') =>
    (await test.api.get(path(id, `/deliveries${query}`), admin)).body.items as any[];
  const settled = (id: string, subject: string) =>
    eventually(
      'every delivery of the order has ended',
      async () => (await deliveries(id)).filter((delivery) => delivery.subject === subject).reverse(),
      { until: (all) => all.length > 0 && all.every(({ state }) => state === 'DELIVERED' || state === 'DEAD') },
    );

  it('delivers signed events in order, and tells the secret once', async () => {
    const { id, secret } = await register({ description: 'the warehouse' });
    expect(secret).toMatch(/^whsec_/);
    const seen = await test.api.get(path(id), admin);
    expect(seen.body).toMatchObject({
      url: receiver.url,
      events: ['*'],
      state: 'ENABLED',
      description: 'the warehouse',
    });
    expect(JSON.stringify([seen.body, (await test.api.get('/v1/webhook-endpoints', admin)).body])).not.toMatch(
      /secret|whsec/,
    );
    const orderId = await order();
    await receiver.until(() => receiver.of(orderId).length === 2);
    expect(typesOf(receiver.of(orderId))).toEqual(['payment.captured', 'order.confirmed']);
    for (const message of receiver.of(orderId)) {
      expect(verified(secret, message)).toEqual(message.event);
      expect(message.headers['webhook-id']).toBe(message.event.id);
      expect(Object.keys(message.event).sort()).toEqual(['data', 'id', 'occurredAt', 'subject', 'type']);
      expect(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, message)).toThrow();
    }
    expect(await settled(id, orderId)).toMatchObject([
      { type: 'payment.captured', state: 'DELIVERED', attempts: 1, lastStatus: 204, lastError: null },
      { type: 'order.confirmed', state: 'DELIVERED', attempts: 1, nextAttemptAt: null },
    ]);
  });

  it('retries, holds back what follows in the same order, and lets other orders pass', async () => {
    const { id } = await register();
    let failures = 2;
    let first: string | undefined;
    receiver.respond = (message, response) => {
      first ??= message.event.subject;
      const isRefused = message.event.subject === first && failures > 0;
      if (isRefused) failures -= 1;
      answer(isRefused ? (failures > 0 ? 500 : 302) : 200, { location: 'http://127.0.0.1:1/' })(message, response);
    };
    const orders = [await order(), await order()];
    await receiver.until(() => orders.flatMap((id) => receiver.of(id)).length === 6);
    const one = first ?? '';
    const two = orders.find((id) => id !== one) ?? '';
    expect(receiver.of(two)).toHaveLength(2);
    expect(typesOf(receiver.of(one))).toEqual([
      'payment.captured',
      'payment.captured',
      'payment.captured',
      'order.confirmed',
    ]);
    expect(new Set(receiver.of(one).map(({ event }) => event.id)).size).toBe(2);
    expect(new Set(receiver.of(one).map(({ raw }) => raw)).size).toBe(2);
    expect(await settled(id, one)).toMatchObject([{ attempts: 3, lastStatus: 200 }, { attempts: 1 }]);
  });

  it('gives up visibly, goes on with what follows, and replays', async () => {
    const { id, secret } = await register();
    receiver.respond = (message, response) =>
      message.event.type === 'payment.captured' ? answer(500)(message, response) : accept(message, response);
    const orderId = await order();
    expect(await settled(id, orderId)).toMatchObject([
      { type: 'payment.captured', state: 'DEAD', attempts: 3, lastStatus: 500, lastError: 'status 500' },
      { type: 'order.confirmed', state: 'DELIVERED', attempts: 1 },
    ]);
    const [dead] = await deliveries(id, '?state=DEAD&limit=1');
    expect(dead).toMatchObject({ subject: orderId });
    const metric = await test.app
      .get((await import('../../../src/platform/metrics/metrics.js')).Metrics)
      .registry.getSingleMetricAsString('webhook_deliveries_dead');
    expect(metric).toMatch(/webhook_deliveries_dead 1/);

    receiver.respond = accept;
    const before = receiver.messages.length;
    expect((await test.api.post(path(id, `/deliveries/${dead.id}/replay`), undefined, admin)).status).toBe(202);
    await receiver.until(() => receiver.messages.length > before);
    expect(verified(secret, receiver.messages.at(-1)!)).toMatchObject({ id: dead.eventId, type: 'payment.captured' });
    expect(await settled(id, orderId)).toMatchObject([{ state: 'DELIVERED' }, { state: 'DELIVERED' }]);
    const unknown = await test.api.post(path(id, `/deliveries/${randomUUID()}/replay`), undefined, admin);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'WEBHOOK_DELIVERY_NOT_FOUND' } });
  });

  it('signs with every secret whose overlap is not over, also when the rotation was repeated', async () => {
    const { id, secret } = await register({ events: ['order.confirmed'] });
    const first = await test.api.post(path(id, '/rotate-secret'), undefined, admin);
    const rotated = await test.api.post(path(id, '/rotate-secret'), undefined, admin);
    expect([first.status, rotated.status]).toEqual([200, 200]);
    expect(new Set([secret, first.body.secret, rotated.body.secret]).size).toBe(3);
    const orderId = await order();
    await receiver.until(() => receiver.of(orderId).length === 1);
    const [message] = receiver.of(orderId);
    expect(message!.event.type).toBe('order.confirmed');
    for (const valid of [secret, first.body.secret, rotated.body.secret])
      expect(verified(valid, message!)).toEqual(message!.event);
    await test.database.query(`UPDATE webhook_endpoints SET previous_secrets_until[1] = now() WHERE id = $1`, [id]);
    const later = await order();
    await receiver.until(() => receiver.of(later).length === 1);
    expect(() => verified(secret, receiver.of(later)[0]!)).toThrow();
    expect(verified(first.body.secret, receiver.of(later)[0]!)).toBeTruthy();
    expect(verified(rotated.body.secret, receiver.of(later)[0]!)).toBeTruthy();
  });

  it('pauses for a disabled endpoint, and for one that is gone', async () => {
    const { id } = await register();
    receiver.respond = answer(503, { 'retry-after': '1' });
    const waiting = await order();
    await receiver.until(() => receiver.of(waiting).length === 1);
    await eventually('one is retried', () => deliveries(id, '?state=RETRYING'), { until: (all) => all.length === 1 });
    expect((await test.api.post(path(id, '/disable'), undefined, admin)).body).toMatchObject({ state: 'DISABLED' });
    receiver.respond = accept;
    const missed = await order();
    const refused = await test.api.post(
      path(id, `/deliveries/${(await deliveries(id))[0].id}/replay`),
      undefined,
      admin,
    );
    expect(refused).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } });
    await eventually('everything is published', () => test.database.query('SELECT 1 FROM outbox_queue'), {
      until: (rows) => rows.length === 0,
    });
    expect((await test.api.post(path(id, '/enable'), undefined, admin)).body).toMatchObject({ state: 'ENABLED' });
    await settled(id, waiting);
    expect(typesOf(receiver.of(waiting))).toEqual(['payment.captured', 'payment.captured', 'order.confirmed']);
    expect(receiver.of(missed)).toEqual([]);

    receiver.respond = answer(410);
    await order();
    const gone = await eventually('the endpoint is disabled', () => test.api.get(path(id), admin), {
      until: ({ body }) => body.state === 'DISABLED',
    });
    expect(gone.body.disabledReason).toContain('410');
  });

  it('queues again what was committed and never queued', async () => {
    const { id } = await register({ events: ['order.confirmed'] });
    const orderId = await order();
    await settled(id, orderId);
    await test.database.query(
      `UPDATE webhook_deliveries SET state = 'PENDING', next_attempt_at = now() - interval '1 minute' WHERE endpoint_id = $1`,
      [id],
    );
    await receiver.until(() => receiver.of(orderId).length === 2);
    await settled(id, orderId);
  });

  it('does not wait for an answer that does not come, nor read one that does not end', async () => {
    const { id } = await register({ events: ['order.confirmed'] });
    receiver.respond = () => undefined;
    const silent = await order();
    const [, late] = await Promise.all([
      receiver.until(() => receiver.of(silent).length > 0),
      eventually('the attempt ran out of time', () => deliveries(id), {
        until: ([delivery]) => delivery?.lastError === 'no answer within 2000 ms',
      }),
    ]);
    expect(late[0]).toMatchObject({ state: 'RETRYING', lastStatus: null });
    receiver.respond = (__, response) => {
      response.writeHead(200);
      const flood = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.on('close', () => clearInterval(flood));
    };
    expect(await settled(id, silent)).toMatchObject([{ state: 'DELIVERED' }]);
  });

  it('refuses addresses that lead inside, bad bodies, and callers who are no admins', async () => {
    for (const url of [
      'http://example.com/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'nonsense',
      'https://a@b.example/',
    ]) {
      const refused = await test.api.post('/v1/webhook-endpoints', { url }, admin);
      expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path: 'url' }] } });
    }
    const body = { url: receiver.url, events: ['order.unheard-of'] };
    expect((await test.api.post('/v1/webhook-endpoints', body, admin)).status).toBe(400);
    expect((await test.api.post('/v1/webhook-endpoints', { url: receiver.url })).status).toBe(403);
    expect((await test.api.get(path(randomUUID()), admin)).body.code).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
    expect((await test.api.get(path('nonsense', '/deliveries'), admin)).status).toBe(404);
    const { id } = await register();
    expect((await test.api.delete(path(id), admin)).status).toBe(204);
    expect((await test.api.delete(path(id), admin)).status).toBe(404);
  });
});
