import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import type { Bench } from './conformance.js';
import { hold, PATIENT_MS, untilWaiting } from './locks.js';
import { quantile, runningMs, smallest } from '../setup/timing.js';
import { Worker } from './worker.js';

const PROCESSES = 8;
const ROUNDS_PER_PROCESS = 500;
/**
 * A round that comes from another process costs 1.1 to 3.2 rounds of one process alone, on every driver; four times that
 * is a fault. Not in milliseconds: these vary by ten with what else the machine does.
 */
const MAX_PACE = 9;
const ALONE_ROUNDS = 200;
const CROWDED_PROCESSES = 4;
const WAITERS = 200;
/** acquire that waits, acquire that succeeds, release, and room for a poll. */
const COMMANDS_PER_HAND_OVER = 5;
const KILLED_LEASE_MS = 500;

/** What needs processes of their own. They are started once: a start costs more than most of what they do. */
export function describeProcesses(bench: Bench): void {
  describe('in several processes', () => {
    let database: TestDatabase;
    let workers: Worker[];
    beforeAll(async () => {
      database = await createTestDatabase();
      await database.query(
        'CREATE TABLE guarded (key text PRIMARY KEY, value integer NOT NULL, fence bigint NOT NULL)',
      );
      workers = await Promise.all(Array.from({ length: PROCESSES }, () => Worker.start(bench.backend().direct)));
    });
    afterAll(async () => {
      await Promise.all(workers.map((worker) => worker.end()));
      await database.drop();
    });

    /** Milliseconds per round, of so many processes at once. */
    const increment = async (crowd: readonly Worker[], rounds: number) => {
      const directory = mkdtempSync(path.join(tmpdir(), 'lock-counter-'));
      const file = path.join(directory, 'counter');
      writeFileSync(file, '0');
      const input = { key: bench.key(`rmw:${crowd.length}`), file, rounds };
      const from = performance.now();
      await Promise.all(crowd.map((worker) => worker.run('increment', input)));
      const ms = performance.now() - from;
      expect(Number(readFileSync(file, 'utf8'))).toBe(crowd.length * rounds);
      rmSync(directory, { recursive: true });
      return ms / (crowd.length * rounds);
    };

    it('1: 8 processes × 500 read-modify-writes on one key lose no update, at a fair pace', async () => {
      const [first] = workers as [Worker, ...Worker[]];
      const alone = Math.ceil(Math.sqrt(bench.share) * ALONE_ROUNDS);
      const pace = async () => {
        const before = await increment([first], alone);
        const together = await increment(workers, bench.share * ROUNDS_PER_PROCESS);
        const after = await increment([first], alone);
        return together / Math.max(before, after);
      };
      expect(await smallest(MAX_PACE, pace)).toBeLessThan(MAX_PACE);
    }, 1_200_000);

    it('10: 200 waiters in 4 processes are all served, evenly, with few commands', async () => {
      const crowd = workers.slice(0, CROWDED_PROCESSES);
      const input = { key: bench.key('crowd'), waiters: WAITERS / CROWDED_PROCESSES, sectionMs: 1 };
      const locks = await bench.open();
      const held = await hold(locks, [input.key], { waitMs: PATIENT_MS, leaseMs: PATIENT_MS });
      const running = crowd.map((worker) => worker.run<{ waits: number[]; commands: number }>('crowd', input));
      await untilWaiting(locks, input.key, CROWDED_PROCESSES); // one of each process stands before the store
      await held.release();
      const results = await Promise.all(running);
      const waits = results.flatMap((result) => result.waits);
      expect(waits).toHaveLength(WAITERS);
      expect(quantile(waits, 0.99) / quantile(waits, 0.5)).toBeLessThan(5);
      const commands = results.reduce((sum, result) => sum + result.commands, 0);
      expect(commands / WAITERS).toBeLessThan(COMMANDS_PER_HAND_OVER);
      // Processes take turns: none is served only after the others are done.
      const last = results.map((result) => Math.max(...result.waits));
      expect(Math.min(...last) / Math.max(...last)).toBeGreaterThan(0.5);
    });

    it('2: a holder that slept through its lease cannot write any more', async () => {
      const key = bench.key('paused');
      await database.query('INSERT INTO guarded VALUES ($1, 0, 0)', [key]);
      const worker = workers[0]!;
      const input = { key, leaseMs: 400, databaseUrl: database.url };
      const { held } = await worker.run<{ held: string }>('hold', input);
      worker.signal('SIGSTOP');
      const { service } = await bench.open();
      await service.withLock([key], { waitMs: PATIENT_MS, leaseMs: PATIENT_MS }, async (lease) => {
        expect(lease.token > BigInt(held)).toBe(true);
        const update = 'UPDATE guarded SET value = value + 1, fence = $2 WHERE key = $1 AND fence <= $2 RETURNING key';
        expect(await database.query(update, [key, lease.token.toString()])).toHaveLength(1);
        // The fence lets the same holder write again.
        expect(await database.query(update, [key, lease.token.toString()])).toHaveLength(1);
      });
      worker.signal('SIGCONT');
      expect(await worker.proceed()).toEqual({ wrote: false, isHeld: false, isAborted: true });
      const [row] = await database.query<{ value: number }>('SELECT value FROM guarded WHERE key = $1', [key]);
      expect(row?.value).toBe(2);
    });

    it('a key of a process that was killed is free when its lease is over', async () => {
      const { service } = await bench.open();
      const measure = async (attempt: number) => {
        const key = bench.key(`killed:${attempt}`);
        const worker = workers[1 + attempt]!;
        await worker.run('hold', { key, leaseMs: KILLED_LEASE_MS, databaseUrl: database.url });
        await worker.end();
        const from = runningMs();
        await service.withLock([key], { waitMs: PATIENT_MS, leaseMs: PATIENT_MS }, () => Promise.resolve());
        return runningMs() - from;
      };
      expect(await smallest(KILLED_LEASE_MS + 300, measure)).toBeLessThan(KILLED_LEASE_MS + 300);
    });
  });
}
