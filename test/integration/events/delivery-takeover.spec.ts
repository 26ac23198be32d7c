import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { type DeliveryQueue, openDeliveryQueue } from '../../../src/event-delivery/delivery-queue.js';
import { eventually } from '../../setup/eventually.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../../setup/test-database.js';
import { runningMs, smallest } from '../../setup/timing.js';

const WORKER = path.resolve(import.meta.dirname, 'delivery-worker.mjs');
/** Its lock has to run out (3 s) and two looks have to find that (1 s each). */
const TAKEN_OVER_WITHIN_MS = 6_000;
const COUNT = 20;

describe.each([
  ['PostgreSQL', () => undefined],
  ['Redis', () => requiredEnv('TEST_REDIS_URL')],
])('a worker that dies with deliveries in its hands, queued on %s', (_, redisUrl) => {
  let database: TestDatabase;
  let victim: ChildProcess | undefined;
  let survivor: DeliveryQueue | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    victim?.kill('SIGKILL');
    await survivor?.close();
    await database.drop();
  });

  it('leaves them to another one within seconds', async () => {
    expect(await smallest(TAKEN_OVER_WITHIN_MS, takeOver)).toBeLessThan(TAKEN_OVER_WITHIN_MS);
  });

  /** How long it takes from the death of one to the last delivery of the other. */
  async function takeOver(): Promise<number> {
    await survivor?.close();
    const settings = {
      redisUrl: redisUrl(),
      redisTimeoutMs: 1_000,
      databaseUrl: database.url,
      namespace: randomUUID(),
    };
    const ids = Array.from({ length: COUNT }, () => randomUUID());
    victim = spawn(process.execPath, [WORKER, JSON.stringify({ ...settings, ids })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    victim.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually('all are taken', () => output.split('took').length > COUNT);

    const done = new Set<string>();
    const deliver = (id: string) => Promise.resolve(void done.add(id));
    survivor = await openDeliveryQueue({ ...settings, onError: () => undefined }, deliver);
    expect(done.size).toBe(0);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    const killedAt = runningMs();
    await eventually('all are taken over', () => done.size === COUNT);
    const ms = runningMs() - killedAt;
    expect([...done].sort()).toEqual(ids.sort());
    return ms;
  }
});
