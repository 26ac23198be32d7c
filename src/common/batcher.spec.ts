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
