import { LeaseObserver } from './lease-observer.js';
import type { LockRecord } from './lock-record.js';
import { StoreClock } from './store-clock.js';

const record = (beat: number, waiting: LockRecord['waiting'] = []): LockRecord => ({
  state: 'held',
  owner: 'p.1',
  leaseMs: 1_000,
  beat,
  acquiredUs: 0,
  token: 1n,
  waiting,
});

describe('time without a common clock', () => {
  const realNow = performance.now.bind(performance);
  let nowMs = 0;
  beforeEach(() => {
    nowMs = 5_000;
    performance.now = () => nowMs;
  });
  afterEach(() => {
    performance.now = realNow;
  });

  it('a lease is over when nobody renewed it for its length, since it was first seen', () => {
    const leases = new LeaseObserver();
    expect(leases.leftMs('k', record(0))).toBe(1_000);
    nowMs += 999;
    expect(leases.leftMs('k', record(0))).toBe(1);
    expect(leases.leftMs('k', record(1))).toBe(1_000); // renewed
    nowMs += 1_000;
    // Whoever joins the queue changes the record, and extends nothing.
    expect(leases.leftMs('k', record(1, [{ owner: 'q.1', since: 1 }]))).toBe(0);
    expect(leases.leftMs('other', record(1))).toBe(1_000);
  });

  it('the store’s clock goes on with the monotonic one, and never back', () => {
    const clock = new StoreClock();
    expect(clock.isKnown).toBe(false);
    clock.observe(1_000_000);
    nowMs += 10;
    expect(clock.nowUs()).toBe(1_010_000);
    clock.observe(900_000);
    expect(clock.nowUs()).toBe(1_010_000);
    clock.observe(2_000_000);
    expect(clock.nowUs()).toBe(2_000_000);
  });

  it('our clock refines a store that says only the second, and is not believed beyond it', () => {
    const ownUs = (performance.timeOrigin + nowMs) * 1_000;
    const [exact, early, late] = [new StoreClock(), new StoreClock(), new StoreClock()];
    exact.observe(ownUs - 300_000, 1_000_000);
    expect(Math.abs(exact.nowUs() - ownUs)).toBeLessThan(2);
    early.observe(ownUs + 3_600_000_000, 1_000_000);
    expect(Math.abs(early.nowUs() - (ownUs + 3_600_000_000))).toBeLessThan(2);
    late.observe(ownUs - 3_600_000_000, 1_000_000);
    expect(Math.abs(late.nowUs() - (ownUs - 3_599_000_000))).toBeLessThan(2);
  });
});
