import type { AcquireRequest } from '../../lock-driver.js';
import { decideAcquire, decideRelease, decideRenewal, decideRevocation, type Records } from './lock-decisions.js';
import { decodeRecord, encodeRecord, type LockRecord } from './lock-record.js';

const NOW_US = 1_700_000_000_000_000;
const request: AcquireRequest = {
  keys: ['a', 'b'],
  owner: 'p.1',
  leaseMs: 1_000,
  floor: 0n,
  spare: 3,
  heirOf: '',
  since: 0,
  timeoutMs: 100,
};
const held = (owner: string, more: Partial<Extract<LockRecord, { state: 'held' }>> = {}): LockRecord => ({
  state: 'held',
  owner,
  leaseMs: 1_000,
  beat: 0,
  acquiredUs: 1,
  token: 7n,
  waiting: [],
  ...more,
});
const kept = (owner: string, since: number): LockRecord => ({
  state: 'kept',
  owner,
  since,
  leaseMs: 100,
  beat: 0,
  token: 7n,
  waiting: [],
});
const found = (...records: (LockRecord | undefined)[]): Records =>
  records.map((record, index) => record && { record, version: `v${index}` });
const acquire = (records: Records, more: Partial<AcquireRequest> = {}, leftMs = 500) =>
  decideAcquire(records, { ...request, ...more }, NOW_US, () => leftMs);

describe('acquire', () => {
  it('mints above the clock, the floor and the last token of every key, and sets the spare ones aside', () => {
    const free = (token: bigint): LockRecord => ({ state: 'free', token, waiting: [] });
    expect(acquire(found(undefined, undefined)).result).toMatchObject({ isGranted: true, token: BigInt(NOW_US) });
    expect(acquire(found(undefined, undefined), { floor: 9n ** 20n }).result).toMatchObject({ token: 9n ** 20n });
    const { result, changes } = acquire(found(free(5n), free(8n ** 20n)));
    expect(result).toMatchObject({ token: 8n ** 20n + 1n });
    expect(changes.map(({ version, record }) => [version, record.token])).toEqual([
      ['v0', 8n ** 20n + 4n],
      ['v1', 8n ** 20n + 4n],
    ]);
  });

  it('takes all keys or none, and queues only where it is blocked', () => {
    const { result, changes, notices } = acquire(found(undefined, held('q.1')));
    expect(result).toEqual({ isGranted: false, since: NOW_US, retryMs: 501, blocked: ['b'] });
    expect(changes.map(({ key, record }) => [key, record.waiting])).toEqual([['b', [{ owner: 'p.1', since: NOW_US }]]]);
    expect(notices).toEqual({ woken: [], contended: ['q.1'], joins: 'p.1' });
  });

  it('writes nothing if it waits already, or will not wait', () => {
    const waiting = [{ owner: 'p.1', since: 5 }];
    expect(acquire(found(undefined, held('q.1', { waiting })), { since: 5 }).changes).toEqual([]);
    expect(acquire(found(undefined, held('q.1')), { since: -1 }).changes).toEqual([]);
  });

  it('queues behind everybody who waits, whatever its clock says', () => {
    const waiting = [{ owner: 'q.2', since: NOW_US + 50 }];
    expect(acquire(found(undefined, held('q.1', { waiting }))).result).toMatchObject({ since: NOW_US + 51 });
  });

  it('takes over what has expired, what it inherits and what is kept for somebody who came later', () => {
    expect(acquire(found(held('q.1'), undefined), {}, 0).result.isGranted).toBe(true);
    expect(acquire(found(held('q.1'), undefined), { heirOf: 'o q' }).result.isGranted).toBe(true);
    expect(acquire(found(held('q.1'), undefined), { heirOf: 'q1' }).result.isGranted).toBe(false);
    const { result, changes } = acquire(found(kept('q.1', 9), undefined), { since: 8 });
    expect(result).toMatchObject({ isGranted: true, isContended: true });
    expect(changes[0]?.record.waiting).toEqual([{ owner: 'q.1', since: 9 }]);
    expect(acquire(found(kept('q.1', 9), undefined), { since: 10 }).result.isGranted).toBe(false);
    // A waiter that did not come when it was its turn is gone.
    expect(acquire(found(kept('q.1', 9), undefined), { since: 10 }, 0).changes[0]?.record.waiting).toEqual([]);
  });
});

describe('renewal and release', () => {
  const holding = { keys: ['a'], owner: 'p.1', since: 0, token: 5n };

  it('extends only what is held, and never lowers its token', () => {
    expect(decideRenewal(found(held('q.1')), holding, 1_000).result).toBe('lost');
    expect(decideRenewal(found(undefined), holding, 1_000).result).toBe('lost');
    const { result, changes } = decideRenewal(found(held('p.1')), holding, 2_000);
    expect(result).toBe('renewed');
    expect(changes[0]?.record).toMatchObject({ beat: 1, leaseMs: 2_000, token: 7n });
  });

  it('keeps the key for the first of those who wait, and wakes that one alone', () => {
    const waiting = [
      { owner: 'q.1', since: 1 },
      { owner: 'r.1', since: 2 },
    ];
    const { changes, notices } = decideRelease(found(held('p.1', { waiting })), holding);
    expect(changes[0]?.record).toMatchObject({ state: 'kept', owner: 'q.1', token: 5n, waiting: [waiting[1]] });
    expect(notices.woken).toEqual(['q.1']);
  });

  it('leaves alone what somebody else holds; a revocation makes every commit under way miss', () => {
    expect(decideRelease(found(held('q.1')), holding).changes).toEqual([]);
    const other = held('q.1');
    expect(decideRevocation(found(other), holding).changes).toEqual([{ key: 'a', version: 'v0', record: other }]);
    expect(decideRevocation(found(undefined), holding).changes[0]?.record.state).toBe('free');
  });
});

it('reads what it wrote', () => {
  const waiting = [{ owner: 'q.1', since: 3 }];
  for (const record of [held('p.1', { waiting }), kept('p.1', 4), { state: 'free', token: 2n ** 60n, waiting: [] }]) {
    expect(decodeRecord(encodeRecord(record as LockRecord))).toEqual(record);
  }
});
