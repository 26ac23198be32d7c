import path from 'node:path';
import { tmpdir } from 'node:os';
import { connectRedis, type RedisClient } from '../../src/platform/redis/redis-client.js';
import { explained, lastErrorOf, RedisUnavailableError } from '../../src/platform/redis/redis-errors.js';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { startRedis } from '../setup/redis-server.js';
import { basket, shelve } from '../setup/shop.js';
import { createTestDatabase } from '../setup/test-database.js';

const PASSWORD = 'not-the-password';
const PROTECTED = ['--requirepass', 'the-password'];

describe('a Redis that cannot be used', () => {
  const opened: RedisClient[] = [];
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const redis of opened.splice(0)) redis.disconnect();
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  const start = async (...args: string[]) => {
    const server = await startRedis({ args });
    stops.push(() => server.stop());
    return server;
  };
  const clusterNode = () => [
    '--cluster-enabled',
    'yes',
    '--cluster-config-file',
    path.join(tmpdir(), `nodes-${Date.now()}`),
  ];

  it.each([
    ['refuses the password', PROTECTED, (port: number) => `redis://:${PASSWORD}@127.0.0.1:${port}`, /WRONGPASS/],
    ['wants a password', PROTECTED, (port: number) => `redis://127.0.0.1:${port}`, /NOAUTH/],
    [
      'does not know AUTH',
      ['--rename-command', 'AUTH', ''],
      (port: number) => `redis://:${PASSWORD}@127.0.0.1:${port}`,
      /unknown command.*\*\*\*/,
    ],
    [
      'is a Cluster that refuses the password',
      [...PROTECTED, ...clusterNode()],
      (port: number) => `redis+cluster://:${PASSWORD}@127.0.0.1:${port}`,
      /WRONGPASS/,
    ],
  ])('%s: commands fail with that, and never with the password', async (_, args, url, reason) => {
    const { port } = await start(...args);
    const redis = connectRedis(url(port), 1_000);
    opened.push(redis);
    await eventually('the error is known', () => lastErrorOf(redis));
    const error: unknown = await explained(redis, redis.get('anything')).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(RedisUnavailableError);
    expect(error).toMatchObject({ message: expect.stringMatching(reason) });
    expect(JSON.stringify([error, (error as Error).message, (error as Error).stack])).not.toContain(PASSWORD);
  });

  it('is not there, and then is: the error is gone with the outage', async () => {
    const port = await freePort();
    const redis = connectRedis(`redis://localhost:${port}`, 1_000);
    opened.push(redis);
    expect(await eventually('the error is known', () => lastErrorOf(redis))).toMatch(/ECONNREFUSED/);
    await expect(explained(redis, redis.ping())).rejects.toMatchObject({ isUnsent: true });
    const server = await startRedis({ port });
    stops.push(() => server.stop());
    await eventually('the error is gone', () => lastErrorOf(redis) === undefined);
    expect(await redis.ping()).toBe('PONG');
  });

  it('is named by readiness and by the lock breaker, without the password', async () => {
    const { port } = await start(...PROTECTED);
    const database = await createTestDatabase();
    stops.push(() => database.drop());
    const shop = await startAppProcess({
      DATABASE_URL: database.url,
      REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${port}`,
    });
    stops.push(() => shop.stop('SIGKILL'));
    await shelve(shop.api, 'sold-anyway', 10);
    expect((await shop.api.post('/v1/checkouts', basket('sold-anyway'))).status).toBe(201);
    const { status, body } = await shop.api.get('/health/ready');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'degraded',
      checks: { redis: { state: 'degraded', detail: expect.stringContaining('WRONGPASS') } },
    });
    await eventually('the breaker says why', () => /lock breaker open.*postgres \(.*WRONGPASS/.test(shop.output()));
    expect(shop.output()).not.toContain(PASSWORD);
    expect(shop.output()).not.toContain('writeable');
  });
});
