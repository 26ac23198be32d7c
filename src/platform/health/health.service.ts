import { Inject, Injectable, Optional } from '@nestjs/common';
import { Redis } from 'ioredis';
import { performance } from 'node:perf_hooks';
import { within } from '../../common/deadline.js';
import { messageOf } from '../../common/error-message.js';
import { APP_CONFIG, type AppConfig, playMoneyNotice } from '../config/app-config.js';
import { DatabaseAvailability } from '../postgres/database-availability.js';
import { DatabaseProbe } from '../postgres/database-probe.job.js';
import { SchemaCheck } from '../postgres/schema-check.js';
import { Loops } from '../loops/loops.js';
import { Draining } from '../shutdown/draining.js';
import { explained } from '../redis/redis-errors.js';

export interface Check {
  readonly state: 'up' | 'degraded' | 'down';
  readonly detail?: string;
}

export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly checks: Readonly<Record<string, Check>>;
}

const UP: Check = { state: 'up' };
/** The checks run at most once in this time, however many probes arrive. */
const CACHE_MS = 1_000;
/** Long enough for a check on a busy machine, and shorter than a load balancer's own timeout. */
const CHECK_TIMEOUT_MS = 2_000;
const REDIS_PROBE_TTL_MS = 10_000;

/** Whether this instance can sell: it can write, understands the schema, its loops run, and it is not stopping. */
@Injectable()
export class HealthService {
  private readonly contributors = new Map<string, () => Check | Promise<Check>>();
  private latest: { readonly readiness: Promise<Readiness>; readonly at: number } | undefined;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly availability: DatabaseAvailability,
    private readonly probe: DatabaseProbe,
    private readonly schema: SchemaCheck,
    private readonly loops: Loops,
    private readonly draining: Draining,
    @Optional() private readonly redis?: Redis,
  ) {}

  /** A check that another module contributes. */
  addCheck(name: string, check: () => Check | Promise<Check>): void {
    this.contributors.set(name, check);
  }

  readiness(): Promise<Readiness> {
    if (this.draining.hasBegun) return Promise.resolve(stopping());
    const now = performance.now();
    if (!this.latest || now - this.latest.at > CACHE_MS) this.latest = { readiness: this.look(), at: now };
    return this.latest.readiness;
  }

  private async look(): Promise<Readiness> {
    const [migrations, redis, ...others] = await Promise.all([
      bounded('down', () => this.schema.check()),
      this.redis && bounded('degraded', () => this.checkRedis()),
      ...[...this.contributors].map(async ([name, check]) => [name, await bounded('down', check)] as const),
    ]);
    const database = this.checkDatabase();
    const loops = this.checkLoops();
    const checks = {
      ...{ database, migrations, loops, ...(redis && { redis }) },
      ...this.payments(),
      ...Object.fromEntries(others),
    };
    const readiness = { status: statusOf(Object.values(checks)), checks };
    this.probe.describeAs(STATES[readiness.status]);
    return readiness;
  }

  /** The service works but takes no money. That should not be discovered on a bank statement. */
  private payments(): { readonly payments?: Check } {
    const detail = playMoneyNotice(this.config);
    return detail === undefined ? {} : { payments: { state: 'up', detail } };
  }

  private checkDatabase(): Check {
    const { problem } = this.availability;
    return problem === undefined ? UP : { state: 'down', detail: problem };
  }

  private checkLoops(): Check {
    const stalled = this.loops.stalled();
    if (stalled.length === 0) return UP;
    const detail = stalled.map(({ name, silentMs }) => `${name} for ${Math.round(silentMs / 1_000)} s`).join(', ');
    return { state: stalled.some(({ isVital }) => isVital) ? 'down' : 'degraded', detail: `no success of ${detail}` };
  }

  /**
   * A write, which a replica or a full server refuses. Without Redis the locks fall back to PostgreSQL, which is slower
   * but correct.
   */
  private async checkRedis(): Promise<Check> {
    const { redis } = this;
    if (redis) await explained(redis, redis.set(`lock:ready:${this.config.instanceId}`, '1', 'PX', REDIS_PROBE_TTL_MS));
    return UP;
  }
}

const STATES = { ready: 'READY', degraded: 'DEGRADED', unavailable: 'UNAVAILABLE' } as const;

function stopping(): Readiness {
  return { status: 'unavailable', checks: { instance: { state: 'down', detail: 'the instance is stopping' } } };
}

function statusOf(checks: readonly Check[]): Readiness['status'] {
  if (checks.some(({ state }) => state === 'down')) return 'unavailable';
  return checks.some(({ state }) => state === 'degraded') ? 'degraded' : 'ready';
}

async function bounded(whenFailing: 'degraded' | 'down', check: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await within(CHECK_TIMEOUT_MS, Promise.resolve(check()));
  } catch (error) {
    return { state: whenFailing, detail: messageOf(error) };
  }
}
