/**
 * `npm run bench:lock`: what a lock costs, on servers of its own. Ratios count, figures depend on the machine. The naive
 * loop beside it is SET NX with a poll every 50 ms, as it is found in many code bases.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.js';
import { Metrics } from '../src/platform/metrics/metrics.js';
import { redisOptions } from '../src/platform/redis/redis-client.js';
import { createEtcdDriver } from '../src/lock/drivers/etcd/etcd.driver.js';
import { PostgresDriver } from '../src/lock/drivers/postgres/postgres.driver.js';
import { RedisDriver } from '../src/lock/drivers/redis/redis.driver.js';
import { RedlockDriver } from '../src/lock/drivers/redlock/redlock.driver.js';
import { createZookeeperDriver } from '../src/lock/drivers/zookeeper/zookeeper.driver.js';
import type { LockDriver } from '../src/lock/lock-driver.js';
import { LockMetrics } from '../src/lock/lock-metrics.js';
import { LockService } from '../src/lock/lock.service.js';
import { Contender, Cycle } from './lock-measure.js';
import { report } from './lock-report.js';
import { writeResults } from './lock-results.js';
import { startEtcd } from '../test/setup/etcd-cluster.js';
import { createLockSchema } from '../test/setup/lock-schema.js';
import { startRedis } from '../test/setup/redis-server.js';
import type { ServerCluster } from '../test/setup/server-cluster.js';
import { startZookeeper } from '../test/setup/zookeeper-cluster.js';

const DURATION_MS = Number(process.argv[2] ?? 1_500);
const TIMES = { waitMs: 60_000, leaseMs: 10_000 };

async function locks(name: string, create: (processId: string) => LockDriver): Promise<Contender> {
  const processId = randomBytes(6).toString('hex');
  const driver = create(processId);
  const service = new LockService(driver, new LockMetrics(new Metrics()), {
    processId,
    pollCapMs: 200,
    commandTimeoutMs: 5_000,
  });
  await service.start();
  return { name, cycle: (key, work) => service.withLock([key], TIMES, work) };
}

function bare(name: string, redis: Redis): Contender {
  const cycle: Cycle = async (key, work) => {
    await redis.set(key, 'owner', 'PX', TIMES.leaseMs, 'NX');
    await work();
    await redis.del(key);
  };
  return { name, cycle };
}

/** Like the drivers on Redis: a release is sent before the next command, and its answer is not awaited. */
function bareSent(name: string, redis: Redis): Contender {
  const cycle: Cycle = async (key, work) => {
    await redis.set(key, 'owner', 'PX', TIMES.leaseMs, 'NX');
    await work();
    void redis.del(key);
  };
  return { name, cycle };
}

function addresses({ nodes }: ServerCluster, scheme: string): string[] {
  return nodes.map(({ port }) => `${scheme}127.0.0.1:${port}`);
}

function naive(redis: Redis): Contender {
  const cycle: Cycle = async (key, work) => {
    while ((await redis.set(`naive:${key}`, 'owner', 'PX', TIMES.leaseMs, 'NX')) === null) await sleep(50);
    await work();
    await redis.del(`naive:${key}`);
  };
  return { name: 'naive SET NX, poll 50 ms', cycle };
}

async function killLeader(cluster: ServerCluster): Promise<void> {
  await cluster.nodes[await cluster.leader()]!.kill();
}

async function main(): Promise<void> {
  Logger.overrideLogger(false);
  const directory = mkdtempSync(path.join(tmpdir(), 'bench-lock-'));
  chmodSync(directory, 0o755);
  const [postgres, ...servers] = await Promise.all([
    startEmbeddedPostgres(path.join(directory, 'postgres')),
    ...Array.from({ length: 5 }, () => startRedis()),
  ]);
  // On a disk, as in production: these agree on nothing that is not written.
  const [etcd, zookeeper] = await Promise.all([
    startEtcd({ isInMemory: false }),
    startZookeeper({ isInMemory: false }),
  ]);
  const pool = new pg.Pool({ connectionString: postgres.url, max: 16 });
  pool.on('error', () => undefined);
  await createLockSchema((sql) => pool.query(sql));
  const redis = new Redis(servers[0]!.url);
  const pipelined = new Redis(servers[0]!.url, redisOptions(5_000));
  for (const client of [redis, pipelined]) client.on('error', () => undefined);
  await pipelined.connect();
  const commandTimeoutMs = 5_000;
  const urls = servers.map(({ url }) => url);
  const own = [
    await locks('redis', (processId) => new RedisDriver({ url: urls[0]!, processId, commandTimeoutMs })),
    await locks('redlock ×5', (processId) => new RedlockDriver({ urls, processId, commandTimeoutMs })),
    await locks('postgres', (processId) => new PostgresDriver(pool, processId)),
    await locks('etcd ×3', (processId) => createEtcdDriver(addresses(etcd, 'http://'), processId)),
    await locks('zookeeper ×3', (processId) => createZookeeperDriver(addresses(zookeeper, ''), processId)),
  ];
  const { rows } = await pool.query<{ server_version: string }>('SHOW server_version');
  const redisVersion = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? '';
  const versions = `Redis ${redisVersion}, PostgreSQL ${rows[0]?.server_version ?? ''}`;
  const run = [
    `${new Date().toISOString()}, Node ${process.version}, ${versions}, etcd and ZooKeeper of the distribution`,
    `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, load average at the start ${(loadavg()[0] ?? 0).toFixed(1)}; servers and clients share the cores, over loopback`,
    `each figure over ${DURATION_MS} ms (crowds: ${DURATION_MS * 2.5} ms); etcd and ZooKeeper wait for the disk, Redis keeps nothing there, the lock table of Postgres is unlogged`,
  ];
  console.log(`${run.join('\n')}\n`);
  const bares = [
    bare('bare SET + DEL', redis),
    bareSent('bare, DEL not awaited', redis),
    bare('bare, auto-pipelined', pipelined),
  ];
  const killers = [
    { name: 'redlock ×5', what: 'one of five', kill: () => servers[4]!.kill() },
    { name: 'etcd ×3', what: 'the leader', kill: () => killLeader(etcd) },
    { name: 'zookeeper ×3', what: 'the leader', kill: () => killLeader(zookeeper) },
  ];
  const results = await report({ bare: bares, own, naive: naive(redis), killers }, DURATION_MS);
  const drivers = own.map(({ name }) => name);
  writeResults(results, run, drivers);
  await Promise.all([etcd.stop(), zookeeper.stop()]);
  for (const server of servers) await server.stop();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
}

await main();
