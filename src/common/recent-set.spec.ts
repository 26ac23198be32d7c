import { RecentSet } from './recent-set.js';

describe('RecentSet', () => {
  it('knows what was added lately, and forgets what is old', () => {
    const recent = new RecentSet<number>(10);
    for (let item = 0; item < 100; item += 1) {
      expect(recent.add(item)).toBe(true);
      expect(recent.add(item)).toBe(false);
    }
    for (let item = 90; item < 100; item += 1) expect(recent.add(item)).toBe(false);
    expect(recent.add(0)).toBe(true);
  });
});
