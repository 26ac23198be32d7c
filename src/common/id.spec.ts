import { newId } from './id.js';

describe('newId', () => {
  it('is a UUID of version 7 and variant 10', () => {
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('carries its time and is unique', () => {
    const before = Date.now();
    const ids = Array.from({ length: 10_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    const time = Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  it('rises with every id, also within a millisecond', () => {
    const ids = Array.from({ length: 20_000 }, newId);
    expect(ids.toSorted()).toEqual(ids);
  });
});
