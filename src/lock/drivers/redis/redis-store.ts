import { Cluster } from 'ioredis';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { RedisUnavailableError } from '../../../platform/redis/redis-errors.js';
import type { AcquireRequest, Holding, Renewal } from '../../lock-driver.js';
import { runAlone, ScriptBatch } from './script-batch.js';

export type StoreReply =
  | { readonly isGranted: true; readonly token: bigint; readonly nowUs: number; readonly isContended: boolean }
  | {
      readonly isGranted: false;
      readonly since: number;
      readonly retryMs: number;
      readonly blocked: readonly number[];
    };

/** The three commands on one server, or on one slot of a Cluster. Knows records, not keys. */
export class RedisStore {
  private readonly run: ScriptBatch['run'];
  /** Sends releases that nobody waited for. */
  readonly flush: () => void;

  constructor(readonly redis: RedisClient) {
    const batch = new ScriptBatch(redis);
    this.flush = batch.flush;
    this.run =
      redis instanceof Cluster
        ? (name, records, args) => runAlone(redis, name, records, args)
        : (...call) => batch.run(...call);
  }

  async acquire(records: readonly string[], request: AcquireRequest): Promise<StoreReply> {
    const { owner, leaseMs, floor, spare, since, heirOf } = request;
    const args = [owner, String(leaseMs), floor.toString(), String(spare), String(since), heirOf];
    const reply = (await this.run('acquire', records, args)) as (number | string)[];
    if (reply[0] === 1) {
      return {
        isGranted: true,
        token: BigInt(reply[1] ?? 0),
        nowUs: Number(reply[2]),
        isContended: reply[3] === 1,
      };
    }
    return {
      isGranted: false,
      since: since < 0 ? since : Number(reply[1]),
      retryMs: Number(reply[2]),
      blocked: reply.slice(3).map((index) => Number(index) - 1),
    };
  }

  async renew(records: readonly string[], holding: Holding, leaseMs: number): Promise<Renewal> {
    const args = [holding.owner, String(leaseMs), holding.token.toString()];
    const reply = await this.run('renew', records, args);
    if (reply === 0) return 'lost';
    return reply === 2 ? 'contended' : 'renewed';
  }

  async release(records: readonly string[], holding: Holding, isAwaited = true): Promise<void> {
    const { owner, token, since } = holding;
    await this.run('release', records, [owner, token.toString(), since > 0 ? '1' : '0'], isAwaited);
  }
}

/** False for a command that never left: with the offline queue off, it fails before it is written. */
export function mayHaveBeenSent(error: unknown): boolean {
  return !(error instanceof RedisUnavailableError && error.isUnsent);
}
