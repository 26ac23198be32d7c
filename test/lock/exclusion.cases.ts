import { LockTimeoutError } from '../../src/lock/lock-errors.js';
import type { Bench } from './conformance.js';
import { hold, PATIENT_MS, untilWaiting } from './locks.js';
import { runningMs, smallest } from '../setup/timing.js';

const TERMS = { waitMs: PATIENT_MS, leaseMs: PATIENT_MS };
/** Long enough for the store to say that a key is taken. */
const SHORT_MS = 1_000;

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
        await service.withLock(keys, TERMS, async () => {
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
      const from = runningMs();
      await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane, rounds / lanes)));
      return (runningMs() - from) / rounds;
    };
    const rounds = LANES * Math.ceil((bench.share * ABBA_ROUNDS) / LANES);
    const pace = async () => {
      served = 0;
      const before = await run(1, ALONE_ROUNDS);
      const contended = await run(LANES, rounds);
      const after = await run(1, ALONE_ROUNDS);
      expect(served).toBe(rounds + 2 * ALONE_ROUNDS);
      return contended / Math.max(before, after);
    };
    expect(await smallest(MAX_PACE, pace)).toBeLessThan(MAX_PACE);
  });

  it('8: [A,B] with B held by another leaves A free, while it waits and after it gave up', async () => {
    const [holder, waiter, third] = await Promise.all([bench.open(), bench.open(), bench.open()]);
    const [a, b] = [bench.key('A'), bench.key('B')];
    const free = () => Promise.resolve('free');
    const held = await hold(holder, [b], TERMS);
    const controller = new AbortController();
    const waiting = waiter.service.withLock([a, b], { ...TERMS, signal: controller.signal }, free);
    waiting.catch(() => undefined);
    await untilWaiting(holder, b, 1);
    await expect(third.service.withLock([a], TERMS, free)).resolves.toBe('free');
    await expect(waiter.service.withLock([a], TERMS, free)).resolves.toBe('free');
    controller.abort(new Error('gave up'));
    await expect(waiting).rejects.toThrow('gave up');
    await expect(third.service.withLock([a], TERMS, free)).resolves.toBe('free');
    await expect(waiter.service.withLock([a, b], { ...TERMS, waitMs: SHORT_MS }, free)).rejects.toBeInstanceOf(
      LockTimeoutError,
    );
    await expect(third.service.withLock([a], TERMS, free)).resolves.toBe('free');
    await held.release();
    await expect(third.service.withLock([a, b], TERMS, free)).resolves.toBe('free');
  });

  it('takes 200 keys at once, and says who holds them', async () => {
    const [one, other] = await Promise.all([bench.open(), bench.open()]);
    const keys = Array.from({ length: 200 }, (_, index) => bench.key(`many:${index}`));
    await one.service.withLock(keys, TERMS, async () => {
      const listed = await other.service.list();
      expect(listed.map(({ key }) => key)).toEqual(expect.arrayContaining(keys));
      expect(one.service.held()).toHaveLength(200);
      const refused = other.service.withLock([keys[77]!], { ...TERMS, waitMs: 0 }, () => Promise.resolve());
      await expect(refused).rejects.toBeInstanceOf(LockTimeoutError);
    });
    expect(one.service.held()).toEqual([]);
    await one.service.list(); // the release was sent before, and not waited for
    expect((await other.service.list()).filter(({ key }) => keys.includes(key))).toEqual([]);
  });
}
