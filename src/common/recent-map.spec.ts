import { RecentMap } from './recent-map.js';

describe('RecentMap', () => {
  it('keeps the last entries, and no more than twice its capacity', () => {
    const map = new RecentMap<number, string>(10);
    for (let key = 0; key < 100; key += 1) map.set(key, `v${key}`);
    for (let key = 90; key < 100; key += 1) expect(map.get(key)).toBe(`v${key}`);
    expect(Array.from({ length: 100 }, (_, key) => key).filter((key) => map.has(key)).length).toBeLessThanOrEqual(20);
    map.set(99, 'again');
    expect(map.get(99)).toBe('again');
  });
});
