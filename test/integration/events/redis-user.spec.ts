import { LockService } from '../../../src/lock/lock.service.js';
import { setTimeout as delay } from 'node:timers/promises';
import { type AppProcess, startAppProcess } from '../../setup/app-process.js';
import { eventually } from '../../setup/eventually.js';
import { type RedisServer, startRedis } from '../../setup/redis-server.js';
import { createDocumentedUser, type RedisUser } from '../../setup/redis-user.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.js';
import { accept, answer, type Receiver, startReceiver } from './receiver.js';
import { checkOut, shelve } from '../../setup/shop.js';

const SKU = 'EVENT-1';

const SETTINGS = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_BASE_MS: '40', RATE_LIMIT: '100000' };
const admin = { key: 'admin' } as const;
/** A worker that does not rest is refused thousands of times in this time, one that rests a few times. */
const WATCHED_MS = 2_000;
const MAX_REFUSALS = 100;

describe('a Redis user', () => {
  let redis: RedisServer;
  let user: RedisUser;
  let receiver: Receiver;
  beforeEach(async () => {
    [redis, receiver] = await Promise.all([startRedis(), startReceiver()]);
    user = await createDocumentedUser(redis);
  });
  afterEach(async () => {
    user.disconnect();
    await Promise.all([redis.stop(), receiver.close()]);
  });

  describe('with the documented rights', () => {
    let one: TestApp;
    let other: TestApp;
    beforeEach(async () => {
      one = await startTestApp({ ...SETTINGS, REDIS_URL: user.url });
      other = await startTestApp({ ...SETTINGS, REDIS_URL: user.url }, one.database);
      await shelve(one.api, SKU, 100_000);
    });
    afterEach(async () => {
      await other.close();
      await one.close();
    });

    it('can lock, wait, count and deliver: nothing is refused', async () => {
      receiver.respond = answer(500);
      const { id } = (await one.api.post('/v1/webhook-endpoints', { url: receiver.url }, admin)).body;
      const bought = await Promise.all([one, other, one, other].map(({ api }) => checkOut(api, SKU)));
      expect(bought.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      const orders = bought.map(({ body }) => body.id as string);
      await receiver.until((messages) => messages.length > 4); // refused, delayed and tried again
      receiver.respond = accept;
      await receiver.until(() => orders.every((order) => receiver.of(order).some(isOf('order.confirmed'))));
      const deliveries = async () => (await other.api.get(`/v1/webhook-endpoints/${id}/deliveries`, admin)).body.items;
      const done = await eventually('all are delivered', deliveries, {
        until: (all: { id: string; state: string }[]) => all.every(({ state }) => state === 'DELIVERED'),
      });
      await one.api.post(`/v1/webhook-endpoints/${id}/deliveries/${done[0]!.id}/replay`, undefined, admin);
      await waitForEachOther(one.app.get(LockService), other.app.get(LockService));
      expect((await one.api.get('/v1/locks', admin)).status).toBe(200);
      expect((await one.api.get('/health/ready')).body.checks.redis).toEqual({ state: 'up' });
      // Locks, counters and jobs are in Redis, rather than in what stands in for it.
      const metrics = (await one.api.get('/metrics', admin)).body as string;
      expect(metrics).not.toContain('lock_breaker_transitions_total{to="open"}');
      expect(await user.refused()).toEqual([]);
    });
  });

  it('that may run no scripts: the worker rests between its attempts, and delivers when it may', async () => {
    await user.change('-eval', '-evalsha');
    const test = await startTestApp({ ...SETTINGS, REDIS_URL: user.url });
    try {
      await shelve(test.api, SKU, 100_000);
      await test.api.post('/v1/webhook-endpoints', { url: receiver.url }, admin);
      const { id } = (await checkOut(test.api, SKU)).body;
      const first = await eventually('the worker is refused', () => user.refusals('evalsha'), { until: (n) => n > 5 });
      await delay(WATCHED_MS);
      expect((await user.refusals('evalsha')) - first).toBeLessThan(MAX_REFUSALS);
      await user.change('+eval', '+evalsha');
      await receiver.until(() => receiver.of(id).length === 2);
    } finally {
      await test.close();
    }
  });

  describe('without INFO', () => {
    let database: TestDatabase;
    let shop: AppProcess;
    beforeEach(async () => {
      await user.change('-info');
      database = await createTestDatabase();
      // A process of its own: a frozen one could not even notice that it is.
      shop = await startAppProcess({ ...SETTINGS, DATABASE_URL: database.url, REDIS_URL: user.url });
      await shelve(shop.api, SKU, 100_000);
    });
    afterEach(async () => {
      await shop.stop('SIGKILL');
      await database.drop();
    });

    it('freezes nothing: the shop sells, one line says what is missing, and webhooks go out once it is granted', async () => {
      await shop.api.post('/v1/webhook-endpoints', { url: receiver.url }, admin);
      const isReported = () => shop.output().includes(`'info' command (docs/redis.md lists what it needs)`);
      await eventually('it is in the log', isReported);
      for (let round = 0; round < 3; round += 1) {
        expect((await shop.api.get('/health/live')).status).toBe(200);
        expect((await checkOut(shop.api, SKU)).status).toBe(201);
      }
      expect(await user.refused()).not.toEqual([]);
      expect(shop.output().match(/docs\/redis\.md/g)).toHaveLength(1);
      expect(receiver.messages).toEqual([]);
      await user.change('+info');
      await receiver.until((messages) => messages.length === 6);
    });
  });
});

/** One holds a key, the other waits for it and is woken. */
async function waitForEachOther(one: LockService, other: LockService): Promise<void> {
  const terms = { waitMs: 60_000, leaseMs: 60_000 };
  let waiting: Promise<void> | undefined;
  await one.withLock(['test:waited-for'], terms, async () => {
    waiting = other.withLock(['test:waited-for'], terms, () => Promise.resolve());
    await eventually('somebody waits', async () => (await one.list()).some(({ waiters }) => waiters > 0));
  });
  await waiting;
}

function isOf(type: string) {
  return ({ event }: { event: { type: string } }) => event.type === type;
}
