import { LockTimeoutError } from '../../src/lock/lock-errors.js';
import type { Bench } from './conformance.js';
import { hold, untilWaiting } from './locks.js';

const LANES = 8;
const ABBA_ROUNDS = 2_000;
const ALONE_ROUNDS = 200;
/** A contended round costs 0.3 to 2.7 rounds of one lane alone (in milliseconds it varies with the machine's load). */
const MAX_PACE = 9;

export function describeExclusion(bench: Bench): void {
  it('8: [A,B] against [B,A], 2,000 rounds: no deadlock, at a fair pace', async () => {
    const instances = await Promise.all([bench.open(), bench.open()]);
    const [a, b] = [bench.key('A'), bench.key('B')];
    let inside = 0;
    let served = 0;
    const runLane = async (lane: number, rounds: number) => {
      const { service } = instances[lane % 2]!;
      const keys = lane % 4 < 2 ? [a, b] : [b, a];
      for (let round = 0; round < rounds; round += 1) {
        await service.withLock(keys, { waitMs: 20_000, leaseMs: 5_000 }, async () => {
          inside += 1;
          expect(inside).toBe(1);
          await Promise.resolve();
          inside -= 1;
          served += 1;
        });
      }
    };
    /** Milliseconds per round. */
    const run = async (lanes: number, rounds: number) => {
      const from = performance.now();
      await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane, rounds / lanes)));
      return (performance.now() - from) / rounds;
    };
    const before = await run(1, ALONE_ROUNDS);
    const contended = await run(LANES, ABBA_ROUNDS);
    const after = await run(1, ALONE_ROUNDS);
    expect(served).toBe(ABBA_ROUNDS + 2 * ALONE_ROUNDS);
    expect(contended / Math.max(before, after)).toBeLessThan(MAX_PACE);
  });

  it('8: [A,B] with B held by another leaves A free, while it waits and after it gave up', async () => {
    const [holder, waiter, third] = await Promise.all([bench.open(), bench.open(), bench.open()]);
    const [a, b] = [bench.key('A'), bench.key('B')];
    const held = await hold(holder, [b], { waitMs: 1_000, leaseMs: 5_000 });
    const waiting = waiter.service.withLock([a, b], { waitMs: 1_000, leaseMs: 5_000 }, () => Promise.resolve());
    waiting.catch(() => undefined);
    await untilWaiting(holder, b, 1);
    const quick = { waitMs: 250, leaseMs: 5_000 };
    await expect(third.service.withLock([a], quick, () => Promise.resolve('free'))).resolves.toBe('free');
    await expect(waiter.service.withLock([a], quick, () => Promise.resolve('free'))).resolves.toBe('free');
    await expect(waiting).rejects.toBeInstanceOf(LockTimeoutError);
    await expect(third.service.withLock([a], quick, () => Promise.resolve('free'))).resolves.toBe('free');
    await held.release();
    await expect(third.service.withLock([a, b], quick, () => Promise.resolve('free'))).resolves.toBe('free');
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
    await one.service.list(); // the release was sent before, and not waited for
    expect((await other.service.list()).filter(({ key }) => keys.includes(key))).toEqual([]);
  });
}
