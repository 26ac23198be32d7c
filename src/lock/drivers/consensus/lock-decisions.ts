import { type AcquireRequest, type Holding, isHeirOf, type Renewal } from '../../lock-driver.js';
import { type Change, type LockRecord, type Versioned, withoutWaiter, withWaiter } from './lock-record.js';
import type { Notices } from './record-store.js';

/** How long a freed key is kept for the waiter that was woken. Longer than a wake-up takes on a busy machine. */
const GRACE_MS = 100;
const NO_NOTICES: Notices = { woken: [], contended: [] };

/** The records of the keys, in the order of the keys; undefined: there is none. */
export type Records = readonly (Versioned | undefined)[];

/** What to write, atomically, and what to answer once that has landed. */
export interface Decision<R> {
  readonly changes: readonly Change[];
  readonly notices: Notices;
  readonly result: R;
}

export type Verdict =
  | { readonly isGranted: true; readonly token: bigint; readonly isContended: boolean }
  | {
      readonly isGranted: false;
      readonly since: number;
      readonly retryMs: number;
      readonly blocked: readonly string[];
    };

/** What is left of a lease or a reservation. */
type LeftMs = (key: string, record: LockRecord) => number;

interface Obstacle {
  readonly key: string;
  readonly found: Versioned;
  readonly leftMs: number;
}

/** Takes every key or none. Does what acquire.lua does, on records that were read rather than in the store. */
export function decideAcquire(
  records: Records,
  request: AcquireRequest,
  nowUs: number,
  leftMs: LeftMs,
): Decision<Verdict> {
  const blocked: Obstacle[] = [];
  for (const [index, key] of request.keys.entries()) {
    const found = records[index];
    if (!found || !isObstacle(found.record, request)) continue;
    const left = leftMs(key, found.record);
    if (left > 0) blocked.push({ key, found, leftMs: left });
  }
  return blocked.length > 0 ? wait(blocked, records, request, nowUs) : grant(records, request, nowUs, leftMs);
}

function isObstacle(record: LockRecord, { owner, heirOf, since }: AcquireRequest): boolean {
  if (record.state === 'free' || record.owner === owner || isHeirOf(heirOf, record.owner)) return false;
  // Wound-wait: the older waiter takes over a younger one's reservation, so two requests that each have a key kept that
  // the other needs cannot block each other, and the oldest always gets through.
  return record.state === 'held' || since <= 0 || since >= record.since;
}

function wait(
  blocked: readonly Obstacle[],
  records: Records,
  request: AcquireRequest,
  nowUs: number,
): Decision<Verdict> {
  const { keys, owner } = request;
  const retryMs = Math.ceil(Math.min(request.leaseMs, ...blocked.map(({ leftMs }) => leftMs))) + 1;
  const refusal = { isGranted: false as const, retryMs, blocked: blocked.map(({ key }) => key) };
  if (request.since < 0) return { changes: [], notices: NO_NOTICES, result: { ...refusal, since: request.since } };
  const latest = Math.max(0, ...blocked.flatMap(({ found }) => found.record.waiting.map((waiter) => waiter.since)));
  const since = request.since > 0 ? request.since : Math.max(nowUs, latest + 1);
  const changes: Change[] = [];
  const contended = new Set<string>();
  for (const { key, found } of blocked) {
    const { record, version } = found;
    const waiting = withWaiter(record.waiting, { owner, since });
    if (waiting === record.waiting) continue;
    changes.push({ key, version, record: { ...record, waiting } });
    // The first waiter notifies the holder, which would otherwise go on serving its own process.
    if (record.state === 'held' && record.waiting.length === 0) contended.add(record.owner);
  }
  // What is kept for this request stays so for another grace.
  for (const [index, found] of records.entries()) {
    if (found?.record.state !== 'kept' || found.record.owner !== owner) continue;
    changes.push({
      key: keys[index] ?? '',
      version: found.version,
      record: { ...found.record, beat: found.record.beat + 1 },
    });
  }
  const notices = { woken: [], contended: [...contended], joins: owner };
  return { changes, notices, result: { ...refusal, since } };
}

function grant(records: Records, request: AcquireRequest, nowUs: number, leftMs: LeftMs): Decision<Verdict> {
  const { keys, owner, leaseMs, floor, spare } = request;
  let token = BigInt(nowUs) > floor ? BigInt(nowUs) : floor;
  for (const found of records) if (found && found.record.token >= token) token = found.record.token + 1n;
  let isContended = false;
  const changes = keys.map((key, index): Change => {
    const found = records[index];
    const waiting = found ? remaining(key, found.record, request, leftMs) : [];
    isContended ||= waiting.length > 0;
    const record = { owner, leaseMs, beat: 0, token: token + BigInt(spare), acquiredUs: nowUs, waiting };
    return { key, version: found?.version, record: { state: 'held', ...record } };
  });
  const notices = request.since > 0 ? { ...NO_NOTICES, leaves: owner } : NO_NOTICES;
  return { changes, notices, result: { isGranted: true, token, isContended } };
}

/**
 * Those who wait on: without this request, and with the one whose reservation it takes over. Whoever let its reservation
 * run out is gone; back in the queue it would cost everybody a grace at every turn, for ever.
 */
function remaining(key: string, record: LockRecord, request: AcquireRequest, leftMs: LeftMs): LockRecord['waiting'] {
  const { owner, since } = request;
  const others = since > 0 ? withoutWaiter(record.waiting, owner) : record.waiting;
  if (record.state !== 'kept' || record.owner === owner || leftMs(key, record) === 0) return others;
  return withWaiter(others, { owner: record.owner, since: record.since });
}

/** Extends the lease on all keys if all are still held by the owner, and records the highest token it may hand out. */
export function decideRenewal(records: Records, { keys, owner, token }: Holding, leaseMs: number): Decision<Renewal> {
  const changes: Change[] = [];
  let result: Renewal = 'renewed';
  for (const [index, key] of keys.entries()) {
    const found = records[index];
    if (found?.record.state !== 'held' || found.record.owner !== owner) {
      return { changes: [], notices: NO_NOTICES, result: 'lost' };
    }
    const { record, version } = found;
    if (record.waiting.length > 0) result = 'contended';
    const highest = token > record.token ? token : record.token;
    changes.push({ key, version, record: { ...record, leaseMs, beat: record.beat + 1, token: highest } });
  }
  return { changes, notices: NO_NOTICES, result };
}

/**
 * Gives back what this owner holds or what is kept for it, and leaves the queues. A key with waiters is kept for the
 * oldest of them for a short grace, and that one alone is woken. What somebody else holds is left alone.
 */
export function decideRelease(records: Records, holding: Holding): Decision<void> {
  const { keys, owner } = holding;
  const changes: Change[] = [];
  const woken = new Set<string>();
  for (const [index, key] of keys.entries()) {
    const found = records[index];
    if (!found) continue;
    const { record, version } = found;
    const waiting = holding.since > 0 ? withoutWaiter(record.waiting, owner) : record.waiting;
    if (record.state !== 'free' && record.owner === owner) {
      const next = released(record, holding.token, waiting);
      if (next.state === 'kept') woken.add(next.owner);
      changes.push({ key, version, record: next });
    } else if (waiting !== record.waiting) {
      changes.push({ key, version, record: { ...record, waiting } });
    }
  }
  const notices = { woken: [...woken], contended: [], ...(holding.since > 0 ? { leaves: owner } : {}) };
  return { changes, notices, result: undefined };
}

function released(record: LockRecord, last: bigint, waiting: LockRecord['waiting']): LockRecord {
  // The holder alone may lower the stored token: spare tokens that nobody used were never seen by anyone.
  const token = record.state === 'held' && last > 0n ? last : record.token;
  const [head, ...rest] = waiting;
  if (!head) return { state: 'free', token, waiting: [] };
  return { state: 'kept', owner: head.owner, since: head.since, leaseMs: GRACE_MS, beat: 0, token, waiting: rest };
}

/** Writes every record as it is: a commit of the owner that is still under way finds other versions and does not land. */
export function decideRevocation(records: Records, holding: Holding): Decision<void> {
  const release = decideRelease(records, holding);
  const changed = new Set(release.changes.map(({ key }) => key));
  const touched = holding.keys.flatMap((key, index): Change[] => {
    if (changed.has(key)) return [];
    const found = records[index];
    return [{ key, version: found?.version, record: found?.record ?? { state: 'free', token: 0n, waiting: [] } }];
  });
  return { ...release, changes: [...release.changes, ...touched] };
}
