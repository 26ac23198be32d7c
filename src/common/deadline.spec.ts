import { getEventListeners } from 'node:events';
import { isDoneWithin, untilAborted, within } from './deadline.js';

const never = () => new Promise<never>(() => undefined);
const LONG_MS = 60_000;

describe('within', () => {
  it('answers as the work does', async () => {
    await expect(within(LONG_MS, Promise.resolve(7))).resolves.toBe(7);
    await expect(within(LONG_MS, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('rejects at the deadline, with the error of the caller if there is one', async () => {
    await expect(within(1, never())).rejects.toThrow('no answer within 1 ms');
    await expect(within(1, never(), () => new TypeError('late'))).rejects.toThrow(TypeError);
  });

  it('ignores work that fails behind its deadline', async () => {
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise<never>((_, reject) => (fail = reject));
    await expect(within(1, work)).rejects.toThrow('no answer');
    fail(new Error('would be an unhandled rejection'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});

describe('isDoneWithin', () => {
  it('says whether the work is done, and throws what it throws', async () => {
    expect(await isDoneWithin(LONG_MS, Promise.resolve('done'))).toBe(true);
    expect(await isDoneWithin(1, never())).toBe(false);
    await expect(isDoneWithin(LONG_MS, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});

describe('untilAborted', () => {
  it('answers as the work does', async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(signal, Promise.resolve(7))).resolves.toBe(7);
    await expect(untilAborted(signal, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('rejects with the reason of the signal, or with the error of the caller', async () => {
    const aborted = AbortSignal.abort(new Error('over'));
    await expect(untilAborted(aborted, never())).rejects.toThrow('over');
    await expect(untilAborted(aborted, never(), () => new TypeError('unknown'))).rejects.toThrow(TypeError);
  });

  it('ends all waits that share a signal', async () => {
    const controller = new AbortController();
    const waits = Promise.allSettled(Array.from({ length: 50 }, () => untilAborted(controller.signal, never())));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    controller.abort();
    expect(new Set((await waits).map(({ status }) => status))).toEqual(new Set(['rejected']));
  });

  it('leaves no listener behind, whatever the end', async () => {
    const { signal } = new AbortController();
    const waits = Promise.allSettled([
      untilAborted(signal, Promise.resolve(1)),
      untilAborted(signal, Promise.reject(new Error('no'))),
    ]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await waits;
    await new Promise((resolve) => setImmediate(resolve));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
