import { Logger } from '@nestjs/common';
import { ConfigurationError, loadConfig } from '../../src/platform/config/app-config.js';
import { RedlockDriver } from '../../src/lock/drivers/redlock/redlock.driver.js';
import { LockBackendUnavailableError } from '../../src/lock/lock-errors.js';
import { RedisServer, startRedis } from '../setup/redis-server.js';
import { REDLOCK_NODES } from './backends.js';
import { createLocks, Locks, PATIENT_MS } from './locks.js';
import { runningMs, smallest } from '../setup/timing.js';

describe('9: redlock with 5 nodes', () => {
  let nodes: RedisServer[];
  let locks: Locks;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    nodes = await Promise.all(Array.from({ length: REDLOCK_NODES }, () => startRedis()));
    locks = await createLocks({ kind: 'redlock', urls: nodes.map(({ url }) => url) });
  });
  afterAll(async () => {
    await locks.stop();
    await Promise.all(nodes.map((node) => node.stop()));
  });

  const lock = (key: string, waitMs: number) =>
    locks.service.withLock([key], { waitMs, leaseMs: PATIENT_MS }, (lease) => Promise.resolve(lease.token));

  it('works with two nodes that hang, and does not wait for them', async () => {
    nodes.slice(0, 2).forEach((node) => node.pause());
    const measure = async () => {
      const from = runningMs();
      const first = await lock('test:redlock:hang', PATIENT_MS);
      expect(await lock('test:redlock:hang', PATIENT_MS)).toBeGreaterThan(first);
      return runningMs() - from;
    };
    expect(await smallest(400, measure)).toBeLessThan(400);
    nodes.slice(0, 2).forEach((node) => node.resume());
  });

  it('works with two dead nodes', async () => {
    await Promise.all(nodes.slice(0, 2).map((node) => node.kill()));
    const first = await lock('test:redlock:dead', PATIENT_MS);
    expect(await lock('test:redlock:dead', PATIENT_MS)).toBeGreaterThan(first);
  });

  it('fails within waitMs with three dead nodes, without a lock left behind', async () => {
    await nodes[2]!.kill();
    const measure = async () => {
      const from = runningMs();
      await expect(lock('test:redlock:gone', 500)).rejects.toBeInstanceOf(LockBackendUnavailableError);
      return runningMs() - from;
    };
    expect(await smallest(600, measure)).toBeLessThan(600);
    nodes[2] = await startRedis({ port: nodes[2]!.port });
    await expect(lock('test:redlock:gone', PATIENT_MS)).resolves.toBeGreaterThan(0n);
  });

  it('refuses an even number of nodes, too few, and the same node twice', () => {
    const options = { processId: 'p', commandTimeoutMs: 100 };
    for (const urls of [['redis://a:1', 'redis://b:1'], ['redis://a:1'], Array<string>(3).fill('redis://a:1')]) {
      expect(() => new RedlockDriver({ ...options, urls })).toThrow('odd number of different nodes');
    }
    const env = { LOCK_DRIVER: 'redlock', REDLOCK_URLS: 'redis://a:1,redis://b:1,redis://c:1,redis://d:1' };
    expect(() => loadConfig(env)).toThrow(ConfigurationError);
  });
});
