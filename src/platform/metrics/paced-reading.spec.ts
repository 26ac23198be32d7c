import { PacedReading } from './paced-reading.js';

describe('PacedReading', () => {
  it('reads once for scrapes that come together or soon after', async () => {
    let reads = 0;
    const reading = new PacedReading(() => Promise.resolve((reads += 1)), fail);
    expect(await Promise.all([reading.latest(), reading.latest(), reading.latest()])).toEqual([1, 1, 1]);
    expect(await reading.latest()).toBe(1);
    expect(reading.ageSeconds).toBeLessThan(5);
  });

  it('keeps what it has when a later reading fails, and says so', async () => {
    const failures: string[] = [];
    const reading = new PacedReading<number>(
      () => Promise.reject(new Error('gone')),
      (reason) => failures.push(reason),
    );
    expect(await reading.latest()).toBeUndefined();
    expect(failures).toEqual(['gone']);
    expect(reading.ageSeconds).toBeUndefined();
  });

  it('lets no scrape wait for a reading that hangs', async () => {
    const reading = new PacedReading<number>(() => new Promise(() => undefined), fail);
    expect(await reading.latest()).toBeUndefined();
  });
});

function fail(reason: string): void {
  throw new Error(reason);
}
