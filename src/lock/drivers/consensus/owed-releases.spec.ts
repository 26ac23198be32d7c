import { setTimeout as sleep } from 'node:timers/promises';
import { OwedReleases } from './owed-releases.js';

describe('OwedReleases', () => {
  it('makes what failed as soon as it can be made, and then no more', async () => {
    const owed = new OwedReleases();
    let isAway = true;
    const made: string[] = [];
    const release = (owner: string) => () => {
      if (isAway) return Promise.reject(new Error('away'));
      return Promise.resolve(made.push(owner));
    };
    await expect(owed.make('p.1', release('p.1'))).rejects.toThrow('away');
    await expect(owed.make('p.2', release('p.2'))).rejects.toThrow('away');
    isAway = false;
    await owed.make('p.3', release('p.3'));
    while (made.length < 3) await sleep(10);
    await sleep(600);
    expect(made).toEqual(['p.3', 'p.1', 'p.2']);
    owed.stop();
  });
});
