import type { RedisClient } from '../../../infrastructure/redis/redis-client.js';
import type { AcquireRequest, Holding, Renewal } from '../../lock-driver.js';
import { LockScript } from './lock-scripts.js';
import { CHANNEL_PREFIX } from './redis-names.js';

export type StoreReply =
  | { readonly isGranted: true; readonly token: bigint; readonly nowUs: number; readonly isContended: boolean }
  | {
      readonly isGranted: false;
      readonly since: number;
      readonly retryMs: number;
      readonly blocked: readonly number[];
    };

/** How long a freed key is kept for the waiter that was woken. Longer than a wake-up takes on a busy machine. */
const GRACE_MS = 100;
/**
 * How long a freed record keeps its last token. It only matters if the store's clock goes back, as a token is never
 * below the clock; payment locks are one key per order, so keeping them for a day would cost gigabytes.
 */
const RETENTION_MS = 300_000;

const SCRIPTS = {
  acquire: new LockScript('acquire'),
  renew: new LockScript('renew'),
  release: new LockScript('release'),
};

/** The three commands on one server, or on one slot of a Cluster. Knows records, not keys. */
export class RedisStore {
  constructor(readonly redis: RedisClient) {}

  async acquire(records: readonly string[], request: AcquireRequest): Promise<StoreReply> {
    const { owner, leaseMs, floor, spare, since } = request;
    const args = [owner, leaseMs, floor.toString(), spare, since, GRACE_MS, RETENTION_MS, CHANNEL_PREFIX];
    const reply = (await SCRIPTS.acquire.run(this.redis, records, args)) as (number | string)[];
    if (reply[0] === 1)
      return { isGranted: true, token: BigInt(reply[1] ?? 0), nowUs: Number(reply[2]), isContended: reply[3] === 1 };
    return {
      isGranted: false,
      since: since < 0 ? since : Number(reply[1]),
      retryMs: Number(reply[2]),
      blocked: reply.slice(3).map((index) => Number(index) - 1),
    };
  }

  async renew(records: readonly string[], holding: Holding, leaseMs: number): Promise<Renewal> {
    const args = [holding.owner, leaseMs, holding.token.toString(), RETENTION_MS];
    const reply = await SCRIPTS.renew.run(this.redis, records, args);
    if (reply === 0) return 'lost';
    return reply === 2 ? 'contended' : 'renewed';
  }

  async release(records: readonly string[], holding: Holding): Promise<void> {
    const { owner, token, since } = holding;
    const isQueued = since > 0 ? '1' : '0';
    await SCRIPTS.release.run(this.redis, records, [
      owner,
      token.toString(),
      isQueued,
      GRACE_MS,
      RETENTION_MS,
      CHANNEL_PREFIX,
    ]);
  }
}

/** False for a command that never left: with the offline queue off, it fails before it is written. */
export function mayHaveBeenSent(error: unknown): boolean {
  return !(error instanceof Error && /isn't writeable|NOSCRIPT|Cluster isn't ready/.test(error.message));
}
