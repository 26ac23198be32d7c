import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiResponse } from '../setup/api-client.js';
import { type AppProcess, prepareAppProcess, type PreparedProcess } from '../setup/app-process.js';
import { authorizedOrder } from '../setup/captures.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { type LedgerItem, ledgerOf, newSku, orderOf, outcomeOf } from '../setup/shop.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../setup/test-database.js';

/** restart: alone, and started again after the crash. takeover: a second instance was there all along. */
export type Variant = 'restart' | 'takeover';

/** What an admin asks for an authorised order, and what must come of it, whatever crashes on the way. */
export interface Errand {
  readonly verb: 'capture' | 'cancel';
  readonly body: object;
  /** What the provider answers once where the fault point is one of trouble: it has done it, and says that it failed. */
  readonly trouble: object;
  readonly order: object;
  readonly charge: Partial<LedgerItem>;
}

interface Asked {
  readonly orderId: string;
  readonly key: string;
}

export interface ErrandReport {
  readonly point: string;
  readonly outcomes: readonly { readonly status: number; readonly order: unknown; readonly charges: unknown }[];
}

/** Two at a time: they may share a batch, and only one of them meets the trouble. */
const ORDERS = 2;

/** Crashes one process after the other in the middle of an errand; each next one is also the restart after the last crash. */
export class ErrandChain {
  private survivor: AppProcess | undefined;
  private victim: AppProcess | undefined;
  private prepared: PreparedProcess | undefined;

  private constructor(
    private readonly variant: Variant,
    private readonly errand: Errand,
    private readonly database: TestDatabase,
  ) {}

  static async run(variant: Variant, errand: Errand, points: readonly string[]): Promise<readonly ErrandReport[]> {
    const chain = new ErrandChain(variant, errand, await createTestDatabase());
    try {
      await failCancellations(chain.database);
      return await chain.crashAll(points);
    } finally {
      chain.prepared?.discard();
      await chain.victim?.stop('SIGKILL');
      await chain.survivor?.stop('SIGKILL');
      await chain.database.drop();
    }
  }

  private async crashAll(points: readonly string[]): Promise<ErrandReport[]> {
    if (this.variant === 'takeover') this.survivor = await this.prepare().start();
    let victim = (this.victim = await this.prepare(points[0]).start());
    const sku = await newSku(victim.api, 1_000);
    const reports: ErrandReport[] = [];
    for (const [index, point] of points.entries()) {
      const next = (this.prepared = this.prepare(points[index + 1]));
      const asked = await this.crash(victim, point, sku);
      victim = this.victim = await next.start();
      const witness = this.survivor ?? victim;
      const outcomes = await Promise.all(asked.map((each) => this.outcome(witness.api, each)));
      reports.push({ point, outcomes });
    }
    const broken = await violations(this.database);
    if (Object.keys(broken).length > 0) throw new Error(`invariants: ${JSON.stringify(broken)}`);
    return reports;
  }

  private async crash(victim: AppProcess, point: string, sku: string): Promise<Asked[]> {
    const orders = await Promise.all(Array.from({ length: ORDERS }, () => authorizedOrder(victim.api, sku)));
    if (point.endsWith(':trouble')) await victim.api.put('/v1/sandbox/faults', { next: [this.errand.trouble] });
    victim.signal('SIGUSR2');
    await eventually(`${point} armed`, () => victim.output().includes('armed'), { everyMs: 5 });
    const asked = orders.map(({ id }) => ({ orderId: id as string, key: randomUUID() }));
    for (const each of asked) void this.ask(victim.api, each);
    await victim.exited();
    if (!victim.output().includes(`reached: ${point}=kill`)) throw new Error(`${point}: ended by something else`);
    return asked;
  }

  /** Whoever asks again under the same key is told what came of it, also where the crash left nothing behind. */
  private async outcome(api: ApiClient, asked: Asked): Promise<ErrandReport['outcomes'][number]> {
    const { status } = await outcomeOf(this.errand.verb, () => this.ask(api, asked), asked.key);
    return { status, order: await orderOf(api, asked.orderId), charges: await ledgerOf(api, asked.orderId) };
  }

  private ask(api: ApiClient, { orderId, key }: Asked): Promise<ApiResponse | undefined> {
    const { verb, body } = this.errand;
    const options = { key: 'admin', idempotencyKey: key, headers: { prefer: 'wait=25' } } as const;
    // The connection breaks with the process.
    return api.post(`/v1/orders/${orderId}/${verb}`, body, options).catch(() => undefined);
  }

  private prepare(point?: string): PreparedProcess {
    return prepareAppProcess({
      DATABASE_URL: this.database.url,
      // One variant on each kind of lock.
      ...(this.variant === 'takeover' && { REDIS_URL: requiredEnv('TEST_REDIS_URL') }),
      SAGA_LEASE_MS: '1000',
      SAGA_BACKOFF_FACTOR: '0.05',
      DATABASE_POOL_SIZE: '6',
      ...(point !== undefined && { FAULT_POINT: `${point}=kill@SIGUSR2` }),
    });
  }
}

/** Every second attempt to cancel an order fails, of two orders always one. A sequence does not roll back. */
async function failCancellations(database: TestDatabase): Promise<void> {
  await database.query(`CREATE SEQUENCE test_cancellations`);
  await database.query(`
    CREATE FUNCTION test_fail_cancellation() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('test_cancellations') % 2 = 1 THEN RAISE 'not this time'; END IF;
      RETURN NEW;
    END $$`);
  await database.query(`
    CREATE TRIGGER test_fail_cancellation BEFORE UPDATE ON orders FOR EACH ROW
      WHEN (NEW.state = 'CANCELLED' AND OLD.state <> 'CANCELLED') EXECUTE FUNCTION test_fail_cancellation()`);
}
