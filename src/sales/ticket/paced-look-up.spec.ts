import { PacedLookUp } from './paced-look-up.js';

describe('PacedLookUp', () => {
  const make = (options: { maxBatch?: number; maxWaiting?: number } = {}) => {
    const batches: string[][] = [];
    const find = (ids: readonly string[]) => {
      batches.push([...ids]);
      return Promise.resolve(new Map(ids.filter((id) => id !== 'none').map((id) => [id, `value of ${id}`])));
    };
    return {
      batches,
      lookUp: new PacedLookUp<string>(find, { everyMs: 20, maxBatch: 100, maxWaiting: 100, ...options }),
    };
  };

  it('asks once for all who come in a while, and once for each name', async () => {
    const { batches, lookUp } = make();
    const first = await Promise.all(['a', 'b', 'a', 'none'].map((id) => lookUp.run(id)));
    expect(first).toEqual(['value of a', 'value of b', 'value of a', undefined]);
    expect(batches).toEqual([['a', 'b', 'none']]);
  });

  it('keeps its distance, and its batches small', async () => {
    const { batches, lookUp } = make({ maxBatch: 2 });
    const startedAt = performance.now();
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => lookUp.run(id)));
    expect(batches).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(performance.now() - startedAt).toBeGreaterThan(30);
  });

  it('refuses who would wait behind too many', async () => {
    const { lookUp } = make({ maxWaiting: 1 });
    const first = lookUp.run('a');
    await expect(lookUp.run('b')).rejects.toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
    expect(await first).toBe('value of a');
  });
});
