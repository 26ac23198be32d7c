import { randomUUID } from 'node:crypto';
import { WINDOW_MS } from '../../src/platform/http/limits/window-counters.js';
import { KEYS } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { startRedis } from '../setup/redis-server.js';
import { startTestApp, TestApp } from '../setup/test-app.js';
import { createTestDatabase, requiredEnv } from '../setup/test-database.js';

const KEYS_OF_SHOP = `shop=${KEYS.STOREFRONT_API_KEY},shop=the-next-key-of-the-shop,app=the-key-of-the-application`;
const from = (address: string) => ({ 'x-forwarded-for': address });

/** Windows are minutes of the clock. It stands still in the middle of one, or a slow machine would see it end. */
const realNow = Date.now;
beforeAll(() => {
  const inTheMiddle = Math.floor(realNow() / WINDOW_MS) * WINDOW_MS + WINDOW_MS / 2;
  Date.now = () => inTheMiddle;
});
afterAll(() => {
  Date.now = realNow;
});

describe('rate limits', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ RATE_LIMIT: '5', TRUST_PROXY: 'true', STOREFRONT_API_KEY: KEYS_OF_SHOP });
  });
  afterAll(() => test.close());

  const read = (address: string, options = {}) => test.api.get('/v1/skus', { headers: from(address), ...options });

  it('says what is left, refuses what is too much, and when to come back', async () => {
    const answers = [];
    for (let call = 1; call <= 6; call += 1) answers.push(await read('203.0.113.1'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
    expect(answers.map(({ headers }) => /^"default";r=(\d);t=\d+$/.exec(headers.get('ratelimit')!)?.[1])).toEqual([
      '4',
      '3',
      '2',
      '1',
      '0',
      '0',
    ]);
    expect(answers[5]!.body).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    expect(Number(answers[5]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(answers[5]!.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('counts each address and each client for itself, whichever of its keys it sends', async () => {
    const readWith = (key: string) =>
      test.api.get('/v1/skus', { key: 'none', headers: { ...from('203.0.113.1'), 'x-api-key': key } });
    expect((await read('203.0.113.2')).status).toBe(200);
    expect((await read('203.0.113.1', { key: 'admin' })).status).toBe(200);
    expect((await read('203.0.113.1')).status).toBe(429);
    expect((await readWith('the-next-key-of-the-shop')).status).toBe(429);
    expect((await readWith('the-key-of-the-application')).status).toBe(200);
  });

  it('believes the proxy, not the client', async () => {
    expect((await read('198.51.100.7, 203.0.113.1')).status).toBe(429);
    expect((await read('203.0.113.1:4711')).status).toBe(429);
  });

  it('limits guessing', async () => {
    const guess = () =>
      test.api.get('/v1/skus', { key: 'none', headers: { ...from('203.0.113.3'), 'x-api-key': randomUUID() } });
    const statuses = [];
    for (let call = 1; call <= 6; call += 1) statuses.push((await guess()).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await read('203.0.113.3')).status).toBe(200);
  });

  it('never limits health checks', async () => {
    const ask = () => test.api.get('/health/live', { key: 'none', headers: from('203.0.113.4') });
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await ask()).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('limits of several instances', () => {
  it('add up through Redis', async () => {
    const database = await createTestDatabase();
    const env = { RATE_LIMIT: '20', REDIS_URL: requiredEnv('TEST_REDIS_URL'), TRUST_PROXY: '1' };
    const [one, two] = await Promise.all([startTestApp(env, database), startTestApp(env, database)]);
    try {
      const headers = from(`198.51.100.${Math.ceil(Math.random() * 250)}`);
      for (let call = 1; call <= 15; call += 1) expect((await one.api.get('/v1/skus', { headers })).status).toBe(200);
      const remaining = async () => {
        const answer = await two.api.get('/v1/skus', { headers });
        return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit')!)![1]);
      };
      await eventually('the other has heard', remaining, { until: (left) => left < 5 });
      const ask = () => one.api.get('/v1/skus', { headers });
      await eventually('a refusal', ask, { until: ({ status }) => status === 429 });
    } finally {
      await Promise.all([one.close(), two.close()]);
      await database.drop();
    }
  });

  it('are counted per instance while Redis is away, and no request fails or waits for it', async () => {
    const redis = await startRedis();
    const test = await startTestApp({ RATE_LIMIT: '8', REDIS_URL: redis.url, LOCK_DRIVER: 'postgres' });
    try {
      expect((await test.api.get('/v1/skus')).status).toBe(200);
      await redis.stop();
      const statuses = [];
      for (let call = 1; call <= 9; call += 1) {
        statuses.push((await test.api.get('/v1/skus')).status);
        await new Promise((resolve) => setTimeout(resolve, 30)); // several failing synchronisations
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 429, 429]);
    } finally {
      await test.close();
    }
  });
});
