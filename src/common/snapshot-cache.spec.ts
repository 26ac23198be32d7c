import { deferred } from './deferred.js';
import { SnapshotCache } from './snapshot-cache.js';

const CROWD = 20;
const HOUR_MS = 3_600_000;

describe('SnapshotCache', () => {
  const make = (maxAgeMs = HOUR_MS, maxKeys = 10, touchedAgeMs = HOUR_MS) => {
    let reads = 0;
    const cache = new SnapshotCache<number>(() => Promise.resolve((reads += 1)), {
      maxAgeMs,
      touchedAgeMs,
      maxKeys,
      crowdPerSecond: CROWD,
    });
    return { cache, reads: () => reads };
  };

  it('reads once for many, and again when the value is old', async () => {
    const { cache, reads } = make();
    await Promise.all(Array.from({ length: 1_000 }, () => cache.get('a')));
    expect(reads()).toBe(1);
    const old = make(0);
    await old.cache.get('a');
    await old.cache.get('a');
    expect(old.reads()).toBe(2);
  });

  it('shows few readers what was touched before they asked', async () => {
    const { cache, reads } = make();
    expect(await cache.get('a')).toBe(1);
    cache.touch('b');
    expect(await cache.get('a')).toBe(1);
    cache.touch('a');
    expect(await cache.get('a')).toBe(2);
    expect(reads()).toBe(2);
  });

  it('does not answer from a reading that began before the touch', async () => {
    const first = deferred<string>();
    const answers = [first.promise, Promise.resolve('after')];
    const cache = new SnapshotCache<string>(() => answers.shift() ?? Promise.reject(new Error('a third reading')), {
      maxAgeMs: HOUR_MS,
      touchedAgeMs: HOUR_MS,
      maxKeys: 1,
      crowdPerSecond: CROWD,
    });
    const early = cache.get('a');
    cache.touch('a');
    const late = cache.get('a');
    first.resolve('before');
    expect([await early, await late]).toEqual(['before', 'after']);
  });

  it('reads a touched value only once more within its age in a crowd, and for whoever is patient', async () => {
    const { cache, reads } = make();
    for (let i = 0; i < CROWD; i += 1) await cache.get('a');
    cache.touch('a');
    await Promise.all(Array.from({ length: 100 }, () => cache.get('a')));
    expect(reads()).toBe(1);
    const quiet = make();
    await quiet.cache.get('a');
    quiet.cache.touch('a');
    expect(await quiet.cache.get('a', true)).toBe(1);
    const brief = make(HOUR_MS, 10, 0);
    await brief.cache.get('a');
    expect(await brief.cache.get('a', true)).toBe(1);
    brief.cache.touch('a');
    expect(await brief.cache.get('a', true)).toBe(2);
    brief.cache.touch('a');
    expect(await brief.cache.get('a', true)).toBe(2);
  });

  it('forgets the key that was not read for longest, and does not keep a failure', async () => {
    const { cache, reads } = make(HOUR_MS, 2);
    for (const key of ['a', 'b', 'a', 'c', 'a']) await cache.get(key);
    expect([...cache.kept()].map(([key]) => key)).toEqual(['c', 'a']);
    expect(reads()).toBe(3);
    let isBroken = true;
    const failing = new SnapshotCache<number>(
      () => (isBroken ? Promise.reject(new Error('away')) : Promise.resolve(7)),
      {
        maxAgeMs: HOUR_MS,
        touchedAgeMs: HOUR_MS,
        maxKeys: 1,
        crowdPerSecond: CROWD,
      },
    );
    await expect(failing.get('a')).rejects.toThrow('away');
    isBroken = false;
    expect(await failing.get('a')).toBe(7);
  });
});
