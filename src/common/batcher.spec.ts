import { eventually } from '../../test/setup/eventually.js';
import { Batcher } from './batcher.js';

describe('Batcher by weight', () => {
  it('keeps batches within the weight, and runs what is heavier alone', async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(
      (items) => {
        batches.push([...items]);
        return Promise.resolve(items);
      },
      { maxBatch: 3, maxInFlight: 1, weigh: (item) => item, maxWeight: 10 },
    );
    await Promise.all([4, 5, 2, 50, 1, 1, 1, 1].map((item) => batcher.run(item)));
    expect(batches).toEqual([[4, 5], [2], [50], [1, 1, 1], [1]]);
  });
});

describe('Batcher', () => {
  const recording = (options: Partial<ConstructorParameters<typeof Batcher<string, string>>[1]> = {}) => {
    const batches: string[][] = [];
    const gates: (() => void)[] = [];
    const batcher = new Batcher<string, string>(
      async (items) => {
        batches.push([...items]);
        await new Promise<void>((resolve) => gates.push(resolve));
        if (items.includes('shared')) throw new Error('away');
        if (items.includes('poison')) throw new Error('poison');
        return items.map((item) => item.toUpperCase());
      },
      { maxBatch: 10, maxInFlight: 1, isShared: (error) => (error as Error).message === 'away', ...options },
    );
    /** Lets whatever is at work, or comes to it, go on. */
    const release = async () => {
      for (let round = 0; round < 20; round += 1) {
        gates.splice(0).forEach((open) => open());
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return { batcher, batches, release };
  };
  const tick = () => new Promise((resolve) => setImmediate(resolve));

  it('takes together what arrives in one tick, and answers each with its own', async () => {
    const { batcher, batches, release } = recording();
    const results = Promise.all(['a', 'b'].map((item) => batcher.run(item)));
    await tick();
    await release();
    expect(await results).toEqual(['A', 'B']);
    expect(batches).toEqual([['a', 'b']]);
  });

  it('shares the next batch among what arrives while one is under way', async () => {
    const { batcher, batches, release } = recording();
    const results = [batcher.run('a')];
    await tick();
    results.push(batcher.run('b'));
    await tick();
    results.push(batcher.run('c'));
    await tick();
    expect(batches).toEqual([['a']]);
    expect(batcher.depth).toBe(2);
    await release();
    expect(await Promise.all(results)).toEqual(['A', 'B', 'C']);
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('keeps as many batches under way as it may, none larger than it may', async () => {
    const { batcher, batches, release } = recording({ maxBatch: 2, maxInFlight: 2 });
    const results = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => batcher.run(item)));
    await tick();
    expect(batches).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    await release();
    expect(await results).toHaveLength(5);
    expect(batches[2]).toEqual(['e']);
  });

  it('starts a small batch beside another only when that one takes long', async () => {
    const { batcher, batches, release } = recording({ maxInFlight: 2, overlapFrom: 3, patienceMs: 400 });
    const results = [batcher.run('a')];
    await tick();
    results.push(batcher.run('b'));
    await tick();
    expect(batches).toEqual([['a']]);
    await eventually('the second batch', () => batches.length === 2);
    expect(batches).toEqual([['a'], ['b']]);
    await release();
    expect(await Promise.all(results)).toEqual(['A', 'B']);
  });

  it('starts a large batch beside another at once, and a small one as soon as nothing is under way', async () => {
    const { batcher, batches, release } = recording({ maxInFlight: 2, overlapFrom: 3, patienceMs: 60_000 });
    const results = [batcher.run('a')];
    await tick();
    results.push(...['b', 'c'].map((item) => batcher.run(item)));
    await tick();
    expect(batches).toEqual([['a']]);
    results.push(batcher.run('d'));
    await tick();
    expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
    results.push(batcher.run('e'));
    await tick();
    expect(batches).toHaveLength(2);
    await release();
    expect(await Promise.all(results)).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(batches[2]).toEqual(['e']);
  });

  it('runs the members of a failed batch alone, so that only the poison fails', async () => {
    const { batcher, batches, release } = recording();
    const results = Promise.allSettled(['a', 'poison', 'b'].map((item) => batcher.run(item)));
    await tick();
    await release();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([['a', 'poison', 'b'], ['a'], ['poison'], ['b']]);
  });

  it('does not try alone what failed for everybody', async () => {
    const { batcher, batches, release } = recording();
    const results = Promise.allSettled(['a', 'shared'].map((item) => batcher.run(item)));
    await tick();
    await release();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(batches).toHaveLength(1);
  });

  it('goes on after a failure', async () => {
    const { batcher, release } = recording();
    const failed = batcher.run('poison').catch(() => 'failed');
    await tick();
    await release();
    expect(await failed).toBe('failed');
    const next = batcher.run('a');
    await tick();
    await release();
    expect(await next).toBe('A');
  });
});
