import { deferred } from '../../common/deferred.js';
import { sleep } from '../../common/backoff.js';
import { Loop, type LoopSettings, type RoundOutcome } from './loop.js';

function loopOf(settings: Partial<LoopSettings> & Pick<LoopSettings, 'round'>) {
  const outcomes: RoundOutcome[] = [];
  const errors: unknown[] = [];
  const rests: number[] = [];
  const loop = new Loop(
    { name: 'test', pace: { minMs: 1, maxMs: 4 }, ...settings },
    {
      rest: (_, ms, signal) => {
        rests.push(ms);
        return sleep(ms, signal);
      },
      observe: (_, outcome) => outcomes.push(outcome),
      complain: (_, error) => errors.push(error),
    },
  );
  return { loop, outcomes, errors, rests };
}

describe('a loop', () => {
  it('rests longer while it finds nothing, and shortly again when it does', async () => {
    const found = [true, false, false, false, false, true];
    const done = deferred<undefined>();
    const { loop, rests } = loopOf({
      round: () => {
        if (found.length === 1) done.resolve(undefined);
        return Promise.resolve(found.shift() ?? false);
      },
    });
    loop.start();
    await done.promise;
    await loop.stop();
    expect(rests.slice(0, 5).map(Math.round)).toEqual([1, 2, 4, 4, 4]);
  });

  it('rests as long as the round says, within its pace', async () => {
    const answers = [0, 3, 100];
    const done = deferred<undefined>();
    const { loop, rests } = loopOf({
      round: () => {
        if (answers.length === 0) done.resolve(undefined);
        return Promise.resolve(answers.shift() ?? 4);
      },
    });
    loop.start();
    await done.promise;
    await loop.stop();
    expect(rests.slice(0, 3).map(Math.round)).toEqual([1, 3, 4]);
  });

  it('goes on after a round that failed, and after one that never ends', async () => {
    const third = deferred<undefined>();
    let rounds = 0;
    let signal: AbortSignal | undefined;
    const { loop, outcomes, errors } = loopOf({
      deadlineMs: 20,
      round: (given) => {
        rounds += 1;
        if (rounds === 1) throw new Error('broken');
        if (rounds === 2) {
          signal = given;
          return new Promise(() => undefined);
        }
        third.resolve(undefined);
        return Promise.resolve();
      },
    });
    loop.start();
    await third.promise;
    await loop.stop();
    expect(outcomes.slice(0, 3)).toEqual(['failed', 'abandoned', 'done']);
    expect(errors).toEqual([expect.any(Error)]); // once per row of failures
    expect(signal?.aborted).toBe(true);
  });

  it('is stalled once no round has succeeded for longer than two that are abandoned', async () => {
    const { loop } = loopOf({ deadlineMs: 5, round: () => new Promise(() => undefined) });
    loop.start();
    expect(loop.isStalled).toBe(false);
    while (loop.silentMs <= 2 * (5 + 4)) await sleep(1);
    expect(loop.isStalled).toBe(true);
    await loop.stop();
    expect(loop.isStalled).toBe(false);
  });

  it('runs at once when it is woken, and once more when it is woken during a round', async () => {
    const begun: ReturnType<typeof deferred<undefined>>[] = [];
    const gates: ReturnType<typeof deferred<undefined>>[] = [];
    const { loop } = loopOf({
      pace: { minMs: 60_000, maxMs: 60_000 },
      deadlineMs: 60_000,
      round: async () => {
        const gate = deferred<undefined>();
        gates.push(gate);
        begun.shift()?.resolve(undefined);
        await gate.promise;
      },
    });
    const until = (count: number) => {
      const reached = deferred<undefined>();
      if (gates.length >= count) reached.resolve(undefined);
      else begun.push(reached);
      return reached.promise;
    };
    loop.start();
    await until(1);
    const now = loop.runNow();
    gates[0]?.resolve(undefined);
    await until(2);
    gates[1]?.resolve(undefined);
    await now;
    loop.wake();
    await until(3);
    gates[2]?.resolve(undefined);
    await loop.stop();
  });
});
