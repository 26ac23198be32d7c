import { postponedMs, retryDelayMs } from './retry-schedule.js';

const HOUR = 3_600_000;

describe('the retry schedule', () => {
  it('grows from seconds to half a day, and covers three days', () => {
    const delays = Array.from({ length: 14 }, (_, index) => retryDelayMs(5_000, index + 1, () => 0.5));
    expect(delays.slice(0, 4)).toEqual([5_000, 15_000, 45_000, 135_000]);
    expect(delays.at(-1)).toBe(12 * HOUR);
    const days = delays.reduce((sum, delay) => sum + delay, 0) / (24 * HOUR);
    expect(days).toBeGreaterThan(3);
    expect(days).toBeLessThan(4);
  });

  it('is spread by a tenth', () => {
    expect(retryDelayMs(1_000, 1, () => 0)).toBe(900);
    expect(retryDelayMs(1_000, 1, () => 1)).toBe(1_100);
  });

  it('waits for as long as the endpoint asks, within reason', () => {
    expect(postponedMs(5_000, '60')).toBe(60_000);
    expect(postponedMs(5_000, '1')).toBe(5_000);
    expect(postponedMs(5_000, '99999999')).toBe(12 * HOUR);
    expect(postponedMs(5_000, 'Wed, 21 Oct 2026 07:28:00 GMT')).toBe(5_000);
    expect(postponedMs(5_000, undefined)).toBe(5_000);
  });
});
