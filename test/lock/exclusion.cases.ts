import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LockTimeoutError } from '../../src/lock/lock-errors.js';
import type { Bench } from './conformance.js';
import { gate, sleep } from './timing.js';
import { Worker } from './worker.js';

const PROCESSES = 8;
const ROUNDS_PER_PROCESS = 500;
const ABBA_ROUNDS = 2_000;

export function describeExclusion(bench: Bench): void {
  it('1: 8 processes × 500 read-modify-writes on one key lose no update', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'lock-counter-'));
    const file = path.join(directory, 'counter');
    writeFileSync(file, '0');
    const input = { spec: bench.backend().direct, key: bench.key('rmw'), file, rounds: ROUNDS_PER_PROCESS };
    const workers = await Promise.all(Array.from({ length: PROCESSES }, () => Worker.start('increment', input)));
    workers.forEach((worker) => worker.go());
    await Promise.all(workers.map((worker) => worker.next()));
    expect(Number(readFileSync(file, 'utf8'))).toBe(PROCESSES * ROUNDS_PER_PROCESS);
    await Promise.all(workers.map((worker) => worker.end()));
    rmSync(directory, { recursive: true });
  }, 240_000);

  it('8: [A,B] against [B,A], 2,000 rounds: no deadlock', async () => {
    const instances = await Promise.all([bench.open(), bench.open()]);
    const [a, b] = [bench.key('A'), bench.key('B')];
    let inside = 0;
    let served = 0;
    const lane = async (lane: number) => {
      const { service } = instances[lane % 2]!;
      const keys = lane % 4 < 2 ? [a, b] : [b, a];
      for (let round = 0; round < ABBA_ROUNDS / 8; round += 1) {
        await service.withLock(keys, { waitMs: 20_000, leaseMs: 5_000 }, async () => {
          inside += 1;
          expect(inside).toBe(1);
          await Promise.resolve();
          inside -= 1;
          served += 1;
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => lane(index)));
    expect(served).toBe(ABBA_ROUNDS);
  }, 120_000);

  it('8: [A,B] with B held by another leaves A free, while it waits and after it gave up', async () => {
    const [holder, waiter, third] = await Promise.all([bench.open(), bench.open(), bench.open()]);
    const [a, b] = [bench.key('A'), bench.key('B')];
    const end = gate();
    const holding = holder.service.withLock([b], { waitMs: 1_000, leaseMs: 5_000 }, () => end.opened);
    await sleep(50);
    const waiting = waiter.service.withLock([a, b], { waitMs: 500, leaseMs: 5_000 }, () => Promise.resolve());
    waiting.catch(() => undefined);
    await sleep(100);
    const quick = { waitMs: 100, leaseMs: 5_000 };
    await expect(third.service.withLock([a], quick, () => Promise.resolve('free'))).resolves.toBe('free');
    await expect(waiter.service.withLock([a], quick, () => Promise.resolve('free'))).resolves.toBe('free');
    await expect(waiting).rejects.toBeInstanceOf(LockTimeoutError);
    await expect(third.service.withLock([a], quick, () => Promise.resolve('free'))).resolves.toBe('free');
    end.open();
    await holding;
    await expect(third.service.withLock([a, b], quick, () => Promise.resolve('free'))).resolves.toBe('free');
  });

  it('a key of a process that was killed is free when its lease is over', async () => {
    const key = bench.key('killed');
    const input = { spec: bench.backend().direct, key, leaseMs: 700, databaseUrl: process.env['TEST_POSTGRES_URL'] };
    const worker = await Worker.start('hold', input);
    worker.go();
    await worker.next();
    await worker.end();
    const { service } = await bench.open();
    const from = performance.now();
    await service.withLock([key], { waitMs: 3_000, leaseMs: 1_000 }, () => Promise.resolve());
    expect(performance.now() - from).toBeLessThan(700 + 300);
  });

  it('takes 200 keys at once, and says who holds them', async () => {
    const [one, other] = await Promise.all([bench.open(), bench.open()]);
    const keys = Array.from({ length: 200 }, (_, index) => bench.key(`many:${index}`));
    await one.service.withLock(keys, { waitMs: 1_000, leaseMs: 5_000 }, async () => {
      const listed = await other.service.list();
      expect(listed.map(({ key }) => key)).toEqual(expect.arrayContaining(keys));
      expect(one.service.held()).toHaveLength(200);
      const refused = other.service.withLock([keys[77]!], { waitMs: 0, leaseMs: 5_000 }, () => Promise.resolve());
      await expect(refused).rejects.toBeInstanceOf(LockTimeoutError);
    });
    expect(one.service.held()).toEqual([]);
    expect((await other.service.list()).filter(({ key }) => keys.includes(key))).toEqual([]);
  });
}
