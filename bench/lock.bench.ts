/**
 * `npm run bench:lock`: what a lock costs, on servers of its own. Ratios count, figures depend on the machine. The naive
 * loop beside it is SET NX with a poll every 50 ms, as it is found in many code bases.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/infrastructure/database/embedded-postgres.js';
import { Metrics } from '../src/infrastructure/metrics/metrics.js';
import { redisOptions } from '../src/infrastructure/redis/redis-client.js';
import { PostgresDriver } from '../src/lock/drivers/postgres/postgres.driver.js';
import { RedisDriver } from '../src/lock/drivers/redis/redis.driver.js';
import { RedlockDriver } from '../src/lock/drivers/redlock/redlock.driver.js';
import type { LockDriver } from '../src/lock/lock-driver.js';
import { LockMetrics } from '../src/lock/lock-metrics.js';
import { LockService } from '../src/lock/lock.service.js';
import { createLockSchema } from '../test/setup/lock-schema.js';
import { startRedis } from '../test/setup/redis-server.js';

const DURATION_MS = Number(process.argv[2] ?? 1_500);
const WARM_UP_MS = 100;
const ROUNDS = 5;
const SECTION_MS = 1;
const CONCURRENCIES = [1, 16, 64];
const CROWDS = [32, 200];
const TIMES = { waitMs: 60_000, leaseMs: 10_000 };

type Cycle = (key: string, section: () => Promise<void>) => Promise<void>;

interface Contender {
  readonly name: string;
  readonly cycle: Cycle;
}

interface Crowd {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const nothing = () => Promise.resolve();
const section = () => sleep(SECTION_MS).then(() => undefined);

/** Cycles per second with so many lanes, each on a key of its own. */
async function uncontended(cycle: Cycle, lanes: number): Promise<number> {
  let cycles = 0;
  let isCounting = false;
  let isOver = false;
  const running = Array.from({ length: lanes }, async (_, lane) => {
    while (!isOver) {
      await cycle(`bench:free:${lane}`, nothing);
      if (isCounting) cycles += 1;
    }
  });
  await sleep(WARM_UP_MS);
  isCounting = true;
  const from = performance.now();
  await sleep(DURATION_MS / ROUNDS);
  isCounting = false;
  const seconds = (performance.now() - from) / 1_000;
  isOver = true;
  await Promise.all(running);
  return cycles / seconds;
}

/** So many contenders on one key, each with a section of 1 ms, again and again. */
async function crowded(cycle: Cycle, contenders: number): Promise<Crowd> {
  const waits: number[] = [];
  let isOver = false;
  const from = performance.now();
  const running = Array.from({ length: contenders }, async () => {
    while (!isOver) {
      const asked = performance.now();
      await cycle('bench:hot:1', async () => {
        waits.push(performance.now() - asked);
        await section();
      });
    }
  });
  await sleep(DURATION_MS * 2);
  const served = waits.length;
  const seconds = (performance.now() - from) / 1_000;
  isOver = true;
  await Promise.all(running);
  const sorted = waits.sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  return { perSecond: served / seconds, p50: at(0.5), p99: at(0.99) };
}

async function backToBack(): Promise<number> {
  const from = performance.now();
  let sections = 0;
  while (performance.now() - from < DURATION_MS) {
    await section();
    sections += 1;
  }
  return (sections / (performance.now() - from)) * 1_000;
}

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

function naive(redis: Redis): Contender {
  const cycle: Cycle = async (key, work) => {
    while ((await redis.set(`naive:${key}`, 'owner', 'PX', TIMES.leaseMs, 'NX')) === null) await sleep(50);
    await work();
    await redis.del(`naive:${key}`);
  };
  return { name: 'naive SET NX, poll 50 ms', cycle };
}

async function main(): Promise<void> {
  Logger.overrideLogger(false);
  const directory = mkdtempSync(path.join(tmpdir(), 'bench-lock-'));
  chmodSync(directory, 0o755);
  const [postgres, ...servers] = await Promise.all([
    startEmbeddedPostgres(path.join(directory, 'postgres')),
    ...Array.from({ length: 5 }, () => startRedis()),
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
  ];
  const { rows } = await pool.query<{ server_version: string }>('SHOW server_version');
  const redisVersion = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? '';
  const versions = `Redis ${redisVersion}, PostgreSQL ${rows[0]?.server_version ?? ''}`;
  await report(own, [bare('bare SET + DEL', redis), bare('bare, auto-pipelined', pipelined)], naive(redis), versions);
  for (const server of servers) await server.stop();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
}

async function report(own: Contender[], bareLocks: Contender[], naiveLock: Contender, versions: string): Promise<void> {
  console.log(
    `Node ${process.version}, ${versions}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, loopback; ` +
      `each figure over ${DURATION_MS} ms, ${WARM_UP_MS} ms of warm-up per round (crowds: ${DURATION_MS * 2} ms)\n`,
  );
  await reportUncontended([...bareLocks, ...own]);
  await reportCrowds([...own, naiveLock]);
}

async function reportUncontended(contenders: Contender[]): Promise<void> {
  console.log(
    `Acquire + release per second, each lane on its own key (median of ${ROUNDS} rounds; part of bare SET + DEL)`,
  );
  const rows: Record<string, Record<string, string>> = {};
  for (const lanes of CONCURRENCIES) {
    // Rounds alternate between the contenders, so that a busy moment of the machine hits all of them.
    const rates = contenders.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, { cycle }] of contenders.entries()) rates[index]?.push(await uncontended(cycle, lanes));
    }
    const medians = rates.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)] ?? 0);
    for (const [index, { name }] of contenders.entries()) {
      const rate = medians[index] ?? 0;
      (rows[name] ??= {})[`at ${lanes}`] = `${Math.round(rate)} (${Math.round((rate / (medians[0] ?? 1)) * 100)} %)`;
    }
  }
  console.table(rows);
}

async function reportCrowds(contenders: Contender[]): Promise<void> {
  console.log(`One key, sections of ${SECTION_MS} ms; ideal: the same sections back to back, just before each line`);
  const rows: Record<string, Record<string, string | number>> = {};
  for (const crowd of CROWDS) {
    for (const { name, cycle } of contenders) {
      const ideal = await backToBack();
      const { perSecond, p50, p99 } = await crowded(cycle, crowd);
      rows[`${name}, ${crowd} contenders`] = {
        'per second': Math.round(perSecond),
        ideal: Math.round(ideal),
        'of ideal': `${Math.round((perSecond / ideal) * 100)} %`,
        'wait p50 ms': Math.round(p50),
        'wait p99 ms': Math.round(p99),
        'p99 / (contenders × section)': Number((p99 / ((crowd * 1_000) / ideal)).toFixed(2)),
      };
    }
  }
  console.table(rows);
}

await main();
