import { setTimeout as delay } from 'node:timers/promises';
import { type RedisServer, startRedis } from '../../setup/redis-server.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { runningMs } from '../../setup/timing.js';
import { Receiver, startReceiver } from './receiver.js';
import { checkOut, shelve } from '../../setup/shop.js';

const SKU = 'EVENT-1';

/** BullMQ by itself would wait for a quarter of a minute. */
const BACK_WITHIN_MS = 12_000;

/** Takes the queue's store away, for a while; answers how to bring it back. */
type Outage = (test: TestApp) => Promise<() => void | Promise<void>>;

describe('webhooks whose queue loses its store', () => {
  let redis: RedisServer;
  let test: TestApp;
  let receiver: Receiver;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await test.close();
    await receiver.close();
  });
  afterAll(() => redis.stop());

  /** It comes back empty. */
  const withoutRedis: Outage = async () => {
    await redis.kill();
    return async () => {
      redis = await startRedis({ port: redis.port });
    };
  };
  /** The queue's connections break as soon as they are made. */
  const withoutPostgres: Outage = async ({ database }) => {
    const breaking = setInterval(() => {
      void database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%webhooks%'`,
      );
    }, 20);
    return () => clearInterval(breaking);
  };

  it.each([
    ['PostgreSQL', () => ({}), withoutPostgres],
    ['Redis', () => ({ REDIS_URL: redis.url }), withoutRedis],
  ])('on %s are delivered within seconds of its return, what happened meanwhile too', async (_, settings, outage) => {
    receiver = await startReceiver();
    test = await startTestApp({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', ...settings() });
    await shelve(test.api, SKU, 100_000);
    await test.api.post('/v1/webhook-endpoints', { url: receiver.url }, { key: 'admin' });
    const order = async () => (await checkOut(test.api, SKU)).body.id as string;
    const before = await order();
    await receiver.until(() => receiver.of(before).length === 2);

    const mend = await outage(test);
    const meanwhile = await order();
    await delay(2_500);
    await mend();
    const mendedAt = runningMs();
    const after = await order();
    await receiver.until(() => receiver.of(meanwhile).length >= 2 && receiver.of(after).length >= 2);
    expect(runningMs() - mendedAt).toBeLessThan(BACK_WITHIN_MS);
    const types = new Set(receiver.of(meanwhile).map(({ event }) => event.type));
    expect([...types]).toEqual(['payment.captured', 'order.confirmed']);
  });
});
