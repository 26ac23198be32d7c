import { Cluster } from 'ioredis';
import { connectUnbuffered, connectSubscriber, RedisClient, whenReady } from '../../../platform/redis/redis-client.js';
import { explained } from '../../../platform/redis/redis-errors.js';
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
import { hashSlot } from './hash-slot.js';
import { RedisListener } from './redis-listener.js';
import { recordName } from './redis-names.js';
import { isAnyHeld, listRecords } from './redis-records.js';
import { mayHaveBeenSent, RedisStore } from './redis-store.js';

export interface RedisDriverOptions {
  readonly url: string;
  readonly processId: string;
  readonly commandTimeoutMs: number;
}

/** Keys that one script may take together, and their names in the store. */
interface Group {
  readonly keys: readonly string[];
  readonly records: readonly string[];
}

/**
 * One server, found directly or through Sentinel, or a Cluster. On one server all keys go in one script: one round trip
 * for any number of keys. A Cluster refuses a script over several slots, so there it is one script per slot, ascending.
 */
export class RedisDriver implements LockDriver {
  readonly name = 'redis';
  readonly isOrdered = true;
  readonly drift = 0.001;
  private readonly redis: RedisClient;
  private readonly isCluster: boolean;
  private readonly store: RedisStore;
  private readonly listener: RedisListener;

  constructor(private readonly options: RedisDriverOptions) {
    this.redis = connectUnbuffered(options.url, options.commandTimeoutMs);
    this.isCluster = this.redis instanceof Cluster;
    this.store = new RedisStore(this.redis);
    this.listener = new RedisListener(connectSubscriber(options.url), options.processId);
  }

  async start(signals: LockSignals): Promise<void> {
    this.listener.start({
      wake: (owner) => signals.wake(owner),
      contend: (owner) => {
        this.store.flush(); // what they wait for may be in a release that has not left yet
        signals.contend(owner);
      },
    });
    await bounded(whenReady(this.redis), this.options.commandTimeoutMs).catch(() => undefined);
  }

  stop(): Promise<void> {
    this.listener.stop();
    this.store.flush();
    this.redis.disconnect();
    return Promise.resolve();
  }

  async acquire(request: AcquireRequest): Promise<Granted | Busy> {
    const { keys, timeoutMs } = request;
    const sent = this.isCluster
      ? this.acquireGroups(this.groupsOf(keys), request)
      : this.acquireGroup({ keys, records: keys.map(recordName) }, request);
    // One command is bounded by the connection already: a second timer would only cost.
    const isBounded = !this.isCluster && timeoutMs >= this.options.commandTimeoutMs;
    try {
      return await (isBounded ? sent : bounded(sent, timeoutMs));
    } catch (error) {
      if (mayHaveBeenSent(error)) void compensate(request, (holding) => this.release(holding));
      throw error;
    }
  }

  async renew(holding: Holding, leaseMs: number): Promise<Renewal> {
    const groups = this.groupsOf(holding.keys);
    const renewals = await Promise.all(groups.map(({ records }) => this.store.renew(records, holding, leaseMs)));
    if (renewals.includes('lost')) return 'lost';
    return renewals.includes('contended') ? 'contended' : 'renewed';
  }

  async release(holding: Holding, isAwaited = true): Promise<void> {
    if (!this.isCluster) return this.store.release(holding.keys.map(recordName), holding, isAwaited);
    const groups = this.groupsOf(holding.keys);
    await Promise.all(groups.map(({ records }) => this.store.release(records, holding)));
  }

  async isHeld(keys: readonly string[], heirOf = ''): Promise<boolean> {
    const held = await Promise.all(this.groupsOf(keys).map(({ records }) => isAnyHeld(this.redis, records, heirOf)));
    return held.includes(true);
  }

  list(limit: number): Promise<StoredLock[]> {
    return explained(this.redis, listRecords(this.redis, limit));
  }

  private async acquireGroup({ keys, records }: Group, request: AcquireRequest): Promise<Granted | Busy> {
    const reply = await this.store.acquire(records, request);
    if (reply.isGranted) return { isGranted: true, token: reply.token, isContended: reply.isContended, driver: this };
    const blocked = reply.blocked.map((index) => keys[index] ?? '');
    return { isGranted: false, since: reply.since, retryMs: reply.retryMs, blocked, driver: this };
  }

  private async acquireGroups(groups: readonly Group[], request: AcquireRequest): Promise<Granted | Busy> {
    let token = request.floor;
    let isContended = false;
    for (const [index, group] of groups.entries()) {
      const reply = await this.acquireGroup(group, { ...request, floor: token });
      if (!reply.isGranted) {
        const holding = { keys: request.keys, owner: request.owner, since: 0, token: 0n };
        await Promise.all(groups.slice(0, index).map(({ records }) => this.store.release(records, holding)));
        return reply;
      }
      token = reply.token;
      isContended ||= reply.isContended;
    }
    // The last slot minted the highest token. The others must know it before anyone works with it.
    const raised = { ...request, token: token + BigInt(request.spare) };
    const others = groups.slice(0, -1).map(({ records }) => this.store.renew(records, raised, request.leaseMs));
    if ((await Promise.all(others)).includes('lost')) throw new Error('a slot lost the lock while it was being taken');
    return { isGranted: true, token, isContended, driver: this };
  }

  private groupsOf(keys: readonly string[]): readonly Group[] {
    if (!this.isCluster) return [{ keys, records: keys.map(recordName) }];
    const slots = new Map<number, { keys: string[]; records: string[] }>();
    for (const key of keys) {
      const record = recordName(key);
      const slot = hashSlot(record);
      const group = slots.get(slot) ?? { keys: [], records: [] };
      group.keys.push(key);
      group.records.push(record);
      slots.set(slot, group);
    }
    return [...slots.entries()].sort(([a], [b]) => a - b).map(([, group]) => group);
  }
}
