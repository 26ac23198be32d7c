import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AttemptDeadlines } from './attempt-deadlines.js';

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('the deadlines of attempts', () => {
  it('end one attempt, or all of them', async () => {
    const deadlines = new AttemptDeadlines();
    await expect(deadlines.within(5, aborted)).rejects.toThrow('no answer within 5 ms');
    expect(deadlines.isStopped).toBe(false);
    const attempts = [1, 2, 3].map(() => deadlines.within(60_000, aborted));
    deadlines.stop();
    for (const attempt of attempts) await expect(attempt).rejects.toThrow('shutting down');
    expect(deadlines.isStopped).toBe(true);
  });

  it('leave nothing behind', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const deadlines = new AttemptDeadlines();
    const listen = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => undefined, { once: true });
      return Promise.resolve();
    };
    const used = async () => {
      for (let n = 0; n < 10_000; n += 1) await deadlines.within(60_000, listen);
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await used();
    expect((await used()) - before).toBeLessThan(1_000_000);
  });
});
