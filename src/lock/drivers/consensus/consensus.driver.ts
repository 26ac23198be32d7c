import {
  type AcquireRequest,
  type Busy,
  type Granted,
  type Holding,
  isHeirOf,
  type LockDriver,
  type LockSignals,
  type Renewal,
  type StoredLock,
} from '../../lock-driver.js';
import { bounded } from '../bounded.js';
import { KnownRecords } from './known-records.js';
import { LeaseObserver } from './lease-observer.js';
import {
  decideAcquire,
  decideRelease,
  decideRenewal,
  decideRevocation,
  type Records,
  type Verdict,
} from './lock-decisions.js';
import { OwedReleases } from './owed-releases.js';
import type { RecordStore } from './record-store.js';
import { Call, RecordTransactions } from './record-transactions.js';
import { SESSION_TIMEOUT_MS } from './session-timeout.js';

/**
 * Locks on a store that agrees by consensus: records that are read, judged here, and changed by compare-and-set, all of a
 * request's keys in one commit. No lease ends by a clock that two machines would have to share (see LeaseObserver).
 */
export class ConsensusDriver implements LockDriver {
  /** A release may need a second commit, and an acquire that is sent after it does not wait for that. */
  readonly isOrdered = false;
  readonly drift = 0.001;
  private readonly leases = new LeaseObserver();
  private readonly known = new KnownRecords();
  private readonly owed = new OwedReleases();
  private readonly transactions: RecordTransactions;
  /** The keys of every owner that holds some here. */
  private readonly held = new Map<string, readonly string[]>();

  constructor(private readonly store: RecordStore) {
    this.transactions = new RecordTransactions(store, this.known);
  }

  get name(): string {
    return this.store.name;
  }

  async start(signals: LockSignals): Promise<void> {
    const started = this.store.start({
      wake: (owner) => signals.wake(owner),
      contend: (owner) => {
        for (const key of this.held.get(owner) ?? []) this.known.share(key);
        signals.contend(owner);
      },
    });
    await bounded(started, SESSION_TIMEOUT_MS).catch(() => undefined);
  }

  stop(): Promise<void> {
    this.owed.stop();
    return this.store.stop();
  }

  async acquire(request: AcquireRequest): Promise<Granted | Busy> {
    const call = new Call();
    try {
      const reply = await bounded(this.acquireGroups(request, call), request.timeoutMs);
      if (reply.isGranted) this.held.set(request.owner, request.keys);
      return reply;
    } catch (error) {
      call.isOver = true;
      if (call.hasCommitted) this.revoke(request);
      throw error;
    }
  }

  async renew(holding: Holding, leaseMs: number): Promise<Renewal> {
    const renewals = await this.inGroups(holding.keys, (keys) => {
      const decide = (records: Records) => decideRenewal(records, { ...holding, keys }, leaseMs);
      return this.transactions.run(new Call(), keys, this.expectHeld(keys, holding.owner), decide);
    });
    if (renewals.includes('lost')) return 'lost';
    return renewals.includes('contended') ? 'contended' : 'renewed';
  }

  release(holding: Holding): Promise<void> {
    const { owner } = holding;
    this.held.delete(owner);
    const release = () =>
      this.inGroups(holding.keys, (keys) => {
        const decide = (records: Records) => decideRelease(records, { ...holding, keys });
        return this.transactions.run(new Call(), keys, this.expectHeld(keys, owner), decide);
      });
    return this.owed.make(owner, release);
  }

  async isHeld(keys: readonly string[], heirOf = ''): Promise<boolean> {
    const records = await this.store.readLatest(keys);
    this.transactions.noteAnswer();
    return keys.some((key, index) => {
      const record = records[index]?.record;
      return record?.state === 'held' && !isHeirOf(heirOf, record.owner) && this.leases.leftMs(key, record) > 0;
    });
  }

  async list(limit: number): Promise<StoredLock[]> {
    const listed = await this.store.list(limit);
    const nowUs = this.store.clock.nowUs();
    return listed.flatMap(({ key, record }): StoredLock[] => {
      const ttlMs = Math.round(this.leases.leftMs(key, record));
      if (record.state !== 'held' || ttlMs === 0) return [];
      const ageMs = Math.max(0, Math.round((nowUs - record.acquiredUs) / 1_000));
      return [{ key, owner: record.owner, ageMs, ttlMs, waiters: record.waiting.length }];
    });
  }

  /** In the order of the keys, as every request does; what was taken goes back if a later group is not free. */
  private async acquireGroups(request: AcquireRequest, call: Call): Promise<Granted | Busy> {
    const groups = this.groupsOf(request.keys);
    let token = request.floor;
    let isContended = false;
    for (const [index, keys] of groups.entries()) {
      const verdict = await this.acquireGroup({ ...request, keys, floor: token }, call);
      if (!verdict.isGranted) {
        const taken = groups.slice(0, index).flat();
        if (taken.length > 0) await this.release({ keys: taken, owner: request.owner, since: 0, token: 0n });
        return { ...verdict, driver: this };
      }
      token = verdict.token;
      isContended ||= verdict.isContended;
    }
    const others = groups.slice(0, -1).flat();
    if (others.length > 0) {
      // The last group minted the highest token. The others must know it before anyone works with it.
      const raised = { keys: others, owner: request.owner, since: 0, token: token + BigInt(request.spare) };
      if ((await this.renew(raised, request.leaseMs)) === 'lost') throw new Error('keys were lost while being taken');
    }
    return { isGranted: true, token, isContended, driver: this };
  }

  private acquireGroup(request: AcquireRequest, call: Call): Promise<Verdict> {
    const { keys, since, heirOf } = request;
    const expected = this.known.expect(keys);
    const isFree = expected?.every((found) => found === undefined || found.record.state === 'free');
    const isExpected = isFree && since <= 0 && heirOf === '';
    return this.transactions.run(call, keys, isExpected ? expected : undefined, (records) =>
      decideAcquire(records, request, this.store.clock.nowUs(), (key, record) => this.leases.leftMs(key, record)),
    );
  }

  /** Takes back an acquire whose outcome is not known, and keeps it from landing later. */
  private revoke({ keys: all, owner }: AcquireRequest): void {
    const revoke = () =>
      this.inGroups(all, (keys) =>
        this.transactions.run(new Call(), keys, undefined, (records) =>
          decideRevocation(records, { keys, owner, since: 1, token: 0n }),
        ),
      );
    this.owed.make(owner, revoke).catch(() => undefined);
  }

  private expectHeld(keys: readonly string[], owner: string): Records | undefined {
    const expected = this.known.expect(keys);
    const isHeld = expected?.every((found) => found?.record.state === 'held' && found.record.owner === owner);
    return isHeld ? expected : undefined;
  }

  private inGroups<R>(keys: readonly string[], work: (keys: readonly string[]) => Promise<R>): Promise<R[]> {
    return Promise.all(this.groupsOf(keys).map(work));
  }

  private groupsOf(keys: readonly string[]): readonly (readonly string[])[] {
    const { maxKeys } = this.store;
    if (keys.length <= maxKeys) return [keys];
    return Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, index) =>
      keys.slice(index * maxKeys, (index + 1) * maxKeys),
    );
  }
}
