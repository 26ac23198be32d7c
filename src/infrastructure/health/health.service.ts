import { Inject, Injectable, Optional } from '@nestjs/common';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { messageOf } from '../../common/error-message.js';
import { APP_CONFIG, type AppConfig, playMoneyNotice } from '../config/app-config.js';

type Check = { readonly state: 'up' | 'degraded' | 'down'; readonly detail?: string };

export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly checks: Readonly<Record<string, Check>>;
}

const CHECK_TIMEOUT_MS = 2_000;

@Injectable()
export class HealthService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly dataSource: DataSource,
    @Optional() private readonly redis?: Redis,
  ) {}

  async readiness(): Promise<Readiness> {
    const [database, migrations, redis] = await Promise.all([this.database(), this.migrations(), this.redisCheck()]);
    const checks = { database, migrations, ...(redis && { redis }), ...this.payments() };
    const states = Object.values(checks).map((check) => check.state);
    if (states.includes('down')) return { status: 'unavailable', checks };
    return { status: states.includes('degraded') ? 'degraded' : 'ready', checks };
  }

  /** Able to serve, but not to earn: nobody should have to find that out by the bank statement. */
  private payments(): { readonly payments?: Check } {
    const detail = playMoneyNotice(this.config);
    return detail === undefined ? {} : { payments: { state: 'up', detail } };
  }

  private database(): Promise<Check> {
    return bounded('down', () => this.dataSource.query('SELECT 1'));
  }

  private migrations(): Promise<Check> {
    return bounded('down', async () => {
      const [row] = await this.dataSource.query<{ applied: number }[]>(
        'SELECT count(*)::int AS applied FROM migrations',
      );
      const expected = this.dataSource.migrations.length;
      if ((row?.applied ?? 0) < expected) throw new Error(`${row?.applied ?? 0} of ${expected} migrations are applied`);
    });
  }

  /** Without Redis the locks fall back to Postgres: slower, not wrong. */
  private redisCheck(): Promise<Check> | undefined {
    const { redis } = this;
    return redis && bounded('degraded', () => redis.ping());
  }
}

async function bounded(whenFailing: 'degraded' | 'down', check: () => Promise<unknown>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), timeout]);
    return { state: 'up' };
  } catch (error) {
    return { state: whenFailing, detail: messageOf(error) };
  } finally {
    clearTimeout(timer);
  }
}
