import { connectUnbuffered, connectSubscriber, whenReady } from '../../../platform/redis/redis-client.js';
import type {
  AcquireRequest,
  Busy,
  Granted,
  Holding,
  LockDriver,
  LockSignals,
  Renewal,
  StoredLock,
} from '../../lock-driver.js';
import { bounded, compensate } from '../bounded.js';
import { RedisListener } from '../redis/redis-listener.js';
import { recordName } from '../redis/redis-names.js';
import { isAnyHeld, listRecords } from '../redis/redis-records.js';
import { RedisStore, StoreReply } from '../redis/redis-store.js';
import { NodeClock } from './node-clock.js';
import { QuorumWake } from './quorum-wake.js';
import { tally } from './tally.js';

export interface RedlockDriverOptions {
  readonly urls: readonly string[];
  readonly processId: string;
  readonly commandTimeoutMs: number;
}

interface Node {
  readonly store: RedisStore;
  readonly listener: RedisListener;
}

type NodeGrant = Extract<StoreReply, { isGranted: true }>;
type NodeBusy = Extract<StoreReply, { isGranted: false }>;

/** Independent nodes; a lock is held when a majority granted it. An even number would allow a tie and is refused. */
export class RedlockDriver implements LockDriver {
  readonly name = 'redlock';
  readonly isOrdered = true;
  /** The nodes' clocks and ours run apart by at most this part of a lease (the algorithm's drift factor). */
  readonly drift = 0.01;
  private readonly nodes: readonly Node[];
  private readonly quorum: number;
  private readonly clock = new NodeClock();

  constructor(private readonly options: RedlockDriverOptions) {
    const { urls, processId, commandTimeoutMs } = options;
    if (urls.length < 3 || urls.length % 2 === 0 || new Set(urls).size !== urls.length) {
      throw new Error(`redlock needs an odd number of different nodes, at least 3, got ${urls.length}`);
    }
    this.nodes = urls.map((url) => ({
      store: new RedisStore(connectUnbuffered(url, commandTimeoutMs)),
      listener: new RedisListener(connectSubscriber(url), processId),
    }));
    this.quorum = (urls.length + 1) / 2;
  }

  async start(signals: LockSignals): Promise<void> {
    const wake = new QuorumWake(signals, this.quorum);
    for (const { listener } of this.nodes) listener.start(wake);
    const ready = this.nodes.map(({ store }) => whenReady(store.redis));
    await bounded(Promise.all(ready), this.options.commandTimeoutMs).catch(() => undefined);
  }

  stop(): Promise<void> {
    for (const { listener, store } of this.nodes) {
      listener.stop();
      store.redis.disconnect();
    }
    return Promise.resolve();
  }

  async acquire(request: AcquireRequest): Promise<Granted | Busy> {
    try {
      return await bounded(this.elect(request), request.timeoutMs);
    } catch (error) {
      void compensate(request, (holding) => this.release(holding));
      throw error;
    }
  }

  async renew(holding: Holding, leaseMs: number): Promise<Renewal> {
    const records = holding.keys.map(recordName);
    const votes = this.nodes.map(({ store }) => store.renew(records, holding, leaseMs));
    const cast = await tally(votes, this.quorum, (vote) => vote !== 'lost');
    if (cast.filter((vote) => vote !== 'lost').length < this.quorum) return 'lost';
    return cast.includes('contended') ? 'contended' : 'renewed';
  }

  async release(holding: Holding): Promise<void> {
    const records = holding.keys.map(recordName);
    const votes = this.nodes.map(({ store }) => store.release(records, holding));
    await tally(votes, this.quorum, () => true);
  }

  async isHeld(keys: readonly string[], heirOf = ''): Promise<boolean> {
    const records = keys.map(recordName);
    const votes = this.nodes.map(({ store }) => isAnyHeld(store.redis, records, heirOf));
    const cast = await tally(votes, this.quorum, (isHeld) => isHeld);
    return cast.filter(Boolean).length >= this.quorum;
  }

  /** What a majority of the nodes shows. */
  async list(limit: number): Promise<StoredLock[]> {
    const lists = await Promise.allSettled(this.nodes.map(({ store }) => listRecords(store.redis, limit)));
    const seen = new Map<string, { lock: StoredLock; votes: number }>();
    for (const lock of lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []))) {
      const name = `${lock.key} ${lock.owner}`;
      seen.set(name, { lock, votes: (seen.get(name)?.votes ?? 0) + 1 });
    }
    return [...seen.values()].filter(({ votes }) => votes >= this.quorum).map(({ lock }) => lock);
  }

  private async elect(request: AcquireRequest): Promise<Granted | Busy> {
    const records = request.keys.map(recordName);
    const sentAt = performance.now();
    const estimate = this.clock.estimate(sentAt);
    const asked = { ...request, floor: estimate > request.floor ? estimate : request.floor };
    const votes = this.nodes.map(({ store }) => store.acquire(records, asked));
    const cast = await tally(votes, this.quorum, (vote) => vote.isGranted);
    const grants = cast.filter((vote): vote is NodeGrant => vote.isGranted);
    for (const grant of grants) this.clock.observe(grant.nowUs, sentAt);
    if (grants.length < this.quorum) {
      const refusals = cast.filter((vote): vote is NodeBusy => !vote.isGranted);
      return this.lose(request, records, refusals);
    }
    return this.win(request, grants);
  }

  /**
   * A majority must know the token before anyone works with it: every later majority shares a node with this one, and
   * mints above it. Where the nodes minted the same token, as they mostly do, they know it already.
   */
  private async win(request: AcquireRequest, grants: readonly NodeGrant[]): Promise<Granted> {
    const token = grants.reduce((highest, grant) => (grant.token > highest ? grant.token : highest), 0n);
    if (grants.filter((grant) => grant.token === token).length < this.quorum) {
      const raised = await this.renew({ ...request, token: token + BigInt(request.spare) }, request.leaseMs);
      if (raised === 'lost') throw new Error('the nodes lost the lock while it was being taken');
    }
    return { isGranted: true, token, isContended: grants.some((grant) => grant.isContended), driver: this };
  }

  /** Gives back what single nodes granted. Each connection keeps the order, so the next attempt comes after it. */
  private lose(request: AcquireRequest, records: readonly string[], refusals: readonly NodeBusy[]): Busy {
    const holding = { keys: request.keys, owner: request.owner, since: 0, token: 0n };
    for (const { store } of this.nodes) store.release(records, holding).catch(() => undefined);
    const blocked = new Set(refusals.flatMap((refusal) => refusal.blocked));
    return {
      isGranted: false,
      // One age on all nodes, or they would disagree on who is first.
      since: request.since < 0 ? request.since : Math.max(request.since, ...refusals.map(({ since }) => since)),
      retryMs: Math.min(...refusals.map(({ retryMs }) => retryMs)),
      blocked: [...blocked].map((index) => request.keys[index] ?? ''),
      driver: this,
    };
  }
}
