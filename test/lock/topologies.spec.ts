import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { createRedis } from '../../src/platform/redis/redis-client.js';
import { LockTimeoutError } from '../../src/lock/lock-errors.js';
import { hashSlot } from '../../src/lock/drivers/redis/hash-slot.js';
import { keyOfRecord, recordName } from '../../src/lock/drivers/redis/redis-names.js';
import { eventually } from '../setup/eventually.js';
import { RedisServer, startRedis } from '../setup/redis-server.js';
import { createLocks, hold, Locks, PATIENT_MS } from './locks.js';

const TIMES = { waitMs: PATIENT_MS, leaseMs: PATIENT_MS };
/** Long enough for the store to say that a key is taken. */
const SHORT_MS = 1_000;
const SLOTS = 16_384;
const NODES = 3;

/** What must hold on every topology: several keys at once, exclusion, hand-over to another instance, rising tokens. */
async function expectLocks(url: string): Promise<void> {
  const instances = await Promise.all([1, 2].map(() => createLocks({ kind: 'redis', url })));
  const [one, other] = instances as [Locks, Locks];
  const keys = Array.from({ length: 20 }, (_, index) => `topology:test:${index}`);
  // The start does not wait for a store that takes long to be found.
  for (const { service } of instances) await service.withLock(keys, TIMES, () => Promise.resolve());
  const held = await hold(one, keys, TIMES);
  const refused = other.service.withLock([keys[13]!, 'topology:test:free'], { ...TIMES, waitMs: SHORT_MS }, () =>
    Promise.resolve(),
  );
  await expect(refused).rejects.toBeInstanceOf(LockTimeoutError);
  const free = other.service.withLock(['topology:test:free'], TIMES, () => Promise.resolve(1));
  await expect(free).resolves.toBe(1);
  expect((await other.service.list()).map(({ key }) => key)).toEqual(expect.arrayContaining(keys));
  const waiting = other.service.withLock([...keys].reverse(), TIMES, ({ token }) => Promise.resolve(token));
  const isAwaited = async () => (await one.service.list()).some(({ waiters }) => waiters > 0);
  await eventually('the other waits', isAwaited, { everyMs: 10 });
  await held.release();
  expect(await waiting).toBeGreaterThan(held.token);
  await Promise.all(instances.map((locks) => locks.stop()));
}

async function masterOf(sentinelPort: number): Promise<unknown> {
  const sentinel = new Redis({ port: sentinelPort, lazyConnect: true, retryStrategy: () => null });
  try {
    await sentinel.connect();
    return await sentinel.call('SENTINEL', 'get-master-addr-by-name', 'main');
  } catch {
    return undefined;
  } finally {
    sentinel.disconnect();
  }
}

describe('redis topologies', () => {
  let servers: RedisServer[] = [];
  let directory: string;

  beforeAll(() => {
    Logger.overrideLogger(false);
    directory = mkdtempSync(path.join(tmpdir(), 'lock-topology-'));
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    servers = [];
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('locks over the slots of a Cluster', async () => {
    servers = await Promise.all(
      Array.from({ length: NODES }, (_, node) =>
        startRedis({
          args: ['--cluster-enabled', 'yes', '--cluster-config-file', path.join(directory, `nodes-${node}`)],
        }),
      ),
    );
    const nodes = servers.map(({ url }) => new Redis(url));
    for (const [index, node] of nodes.entries()) {
      const range = [index, index + 1].map((part) => Math.floor((SLOTS * part) / NODES));
      await node.call('CLUSTER', 'ADDSLOTSRANGE', String(range[0]), String(range[1]! - 1));
      await node.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
      if (index > 0) await nodes[0]!.call('CLUSTER', 'MEET', '127.0.0.1', String(servers[index]!.port));
    }
    for (const node of nodes) {
      const isWhole = async () => String(await node.call('CLUSTER', 'INFO')).includes('cluster_state:ok');
      await eventually('the Cluster is whole', isWhole);
      node.disconnect();
    }
    await expectLocks(`redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`);
  });

  it('finds the master through Sentinel', async () => {
    servers = [await startRedis()];
    const port = await freePort();
    const config = path.join(directory, 'sentinel.conf');
    writeFileSync(config, `port ${port}\nsentinel monitor main 127.0.0.1 ${servers[0]!.port} 1\n`);
    const sentinel = spawn('redis-server', [config, '--sentinel'], { stdio: 'ignore' });
    await eventually('the Sentinel knows the master', () => masterOf(port));
    await expectLocks(`redis+sentinel://127.0.0.1:${port}/main`);
    const exit = once(sentinel, 'exit');
    sentinel.kill();
    await exit;
  });

  it('computes slots as the server does', async () => {
    servers = [
      await startRedis({ args: ['--cluster-enabled', 'yes', '--cluster-config-file', path.join(directory, 'one')] }),
    ];
    const redis = new Redis(servers[0]!.url);
    for (const key of ['a', 'inventory:reserve:x', 'ünïcode', '}odd{', '50%', '{}']) {
      expect(hashSlot(recordName(key))).toBe(await redis.call('CLUSTER', 'KEYSLOT', recordName(key)));
      expect(hashSlot(`${recordName(key)}:waiting`)).toBe(hashSlot(recordName(key)));
      expect(keyOfRecord(recordName(key))).toBe(key);
    }
    redis.disconnect();
  });

  it('reads hosts, credentials and names from the URL', () => {
    const sentinel = createRedis('redis+sentinel://user:p%40ss@a:1,b/shop?db=2', { lazyConnect: true });
    expect(sentinel.options).toMatchObject({
      sentinels: [
        { host: 'a', port: 1 },
        { host: 'b', port: 26_379 },
      ],
      name: 'shop',
      username: 'user',
      password: 'p@ss',
      db: 2,
    });
    const single = createRedis('rediss://:secret@c:7/3', { lazyConnect: true });
    expect(single.options).toMatchObject({ host: 'c', port: 7, password: 'secret', db: 3, tls: true });
  });
});
