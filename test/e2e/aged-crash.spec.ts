import { RepayRefundSaga } from '../../src/audit/refund-failures/repay-refund.saga.js';
import { faultPointsOf } from '../../src/saga/engine/saga-fault-points.js';
import { HOUR_MS, passTime, stripeEnv } from '../integration/payment/aging.js';
import { eventually } from '../setup/eventually.js';
import { checkOut, expectSound, newSku, orderIn, orderOf } from '../setup/shop.js';
import { StripeServer } from '../payment/stripe-server.js';
import { type AppProcess, prepareAppProcess, type PreparedProcess, startAppProcess } from '../setup/app-process.js';
import { startTestApp } from '../setup/test-app.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const LONG_MS = 240_000;
const admin = { key: 'admin' } as const;

/**
 * One instance is killed at a point, days pass, and another one, which was asleep all the while, takes over. The provider
 * runs in the test's own process.
 */
class AgedCrashes {
  readonly server = new StripeServer();
  database!: TestDatabase;
  survivor!: AppProcess;
  sku!: string;
  private prepared: PreparedProcess | undefined;
  private victim: AppProcess | undefined;

  async start(): Promise<void> {
    this.database = await createTestDatabase();
    await this.server.start();
    this.survivor = await startAppProcess(this.env());
    this.sku = await newSku(this.survivor.api);
  }

  async stop(): Promise<void> {
    this.prepared?.discard();
    await this.victim?.stop('SIGKILL');
    await this.survivor?.stop('SIGKILL');
    await this.server.stop();
    await this.database?.drop();
  }

  /** Kills an instance at every point while `act` is at work on it, and lets the time pass before another takes over. */
  async killAt(
    points: readonly string[],
    act: (victim: AppProcess, point: string) => Promise<unknown>,
    ageMs: number,
    check: (point: string) => Promise<void>,
    arrange: (point: string) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    this.prepared = this.prepare(points[0]!);
    for (const [index, point] of points.entries()) {
      await arrange(point);
      const victim = (this.victim = await this.prepared!.start());
      this.prepared = index + 1 < points.length ? this.prepare(points[index + 1]!) : undefined;
      victim.signal('SIGUSR2');
      await eventually('armed', () => Promise.resolve(victim.output().includes('armed')));
      this.survivor.signal('SIGSTOP');
      void act(victim, point).catch(() => undefined);
      await victim.exited();
      if (!victim.output().includes(`reached: ${point}=kill`)) throw new Error(`${point}: ${victim.output()}`);
      await passTime(this.database, this.server, ageMs);
      this.survivor.signal('SIGCONT');
      // What the dead instance had claimed or locked ends by itself; the test need not wait for that.
      await this.database.query(`DELETE FROM lock_leases WHERE key LIKE 'payment:callback:%'`);
      await this.database.query(`UPDATE webhook_inbox SET due_at = now() WHERE state = 'RECEIVED'`);
      await check(point);
    }
  }

  private prepare(point: string): PreparedProcess {
    return prepareAppProcess({ ...this.env(), FAULT_POINT: `${point}=kill@SIGUSR2` });
  }

  private env(): Record<string, string> {
    return { ...stripeEnv(this.server), DATABASE_URL: this.database.url, DATABASE_POOL_SIZE: '5' };
  }
}

describe('when a process is killed and days pass, another instance', () => {
  const chains = [chargeChain, refundChain].map((chain) => ({ chain, crashes: new AgedCrashes() }));
  let running: Promise<void>[] = [];
  beforeAll(() => {
    // Side by side, each on a database of its own.
    running = chains.map(async ({ chain, crashes }) => {
      await crashes.start();
      await chain(crashes);
    });
    for (const each of running) each.catch(() => undefined); // told by its test
  });
  afterAll(() => Promise.all(chains.map(({ crashes }) => crashes.stop())));

  it('finds the charge, or leaves it to a person, and never makes a second one', () => running[0]!, LONG_MS);
  it('pays a refund again that was taken back, exactly once', () => running[1]!, LONG_MS);
});

/** A bank debit, 26 hours later: found by its id or by our key, and never sent a second time. */
async function chargeChain(crashes: AgedCrashes): Promise<void> {
  const { server, survivor, database } = crashes;
  const newest = async () =>
    (await database.query<{ id: string }>(`SELECT id FROM orders ORDER BY id DESC LIMIT 1`))[0]!.id;
  const reach = async (id: string, state: string) =>
    eventually(`saga ${state}`, async () => {
      const { sagaId } = await orderOf(survivor.api, id);
      const saga = (await survivor.api.get(`/v1/sagas/${sagaId}`, admin)).body;
      return saga.state === state && saga;
    });
  const check = async (point: string) => {
    const id = await newest();
    const asked = server.chargesAsked;
    if (point.startsWith('before-call')) {
      await reach(id, 'STUCK');
      const { sagaId } = await orderOf(survivor.api, id);
      await survivor.api.post(`/v1/sagas/${sagaId}/compensate`, { reason: 'the provider has none' }, admin);
      await orderIn(survivor.api, id, 'REJECTED');
      expect(server.books.intentsOf(id)).toEqual([]);
    } else {
      const [intent] = server.books.intentsOf(id);
      await eventually('asked', async () => {
        const rows = await database.query<any>(
          `SELECT sagas.state, transaction_id FROM sagas JOIN payments ON subject = order_id::text WHERE order_id = $1 AND epoch > 1`,
          [id],
        );
        return rows[0]?.state === 'WAITING' && rows[0].transaction_id === intent!.id;
      });
      server.books.finishProcessing(intent!.id, 'pay');
      await server.deliver(`${survivor.url}/v1/webhooks/stripe`, server.books.events[0]!);
      await orderIn(survivor.api, id, 'CONFIRMED');
      expect(server.books.keptOf(id)).toBe(1_000);
    }
    expect(server.chargesAsked).toBe(asked);
    await expectSound(survivor.api);
  };
  await crashes.killAt(
    ['before-call', 'after-call', 'before-commit', 'after-commit'].map((where) => `${where}:process-payment:call`),
    (victim) => checkOut(victim.api, crashes.sku, 'pm_usBankAccount_success'),
    26 * HOUR_MS,
    check,
  );
}

async function refundChain(crashes: AgedCrashes): Promise<void> {
  const { server, survivor, database } = crashes;
  const { app, close } = await startTestApp({}, database);
  const points = faultPointsOf(app.get(RepayRefundSaga, { strict: false }) as Parameters<typeof faultPointsOf>[0]);
  await close();
  expect(points).toHaveLength(8);
  let id = '';
  const refunds = () => server.books.refundsOf(server.books.intentsOf(id)[0]!.id);
  await crashes.killAt(
    points,
    (victim, point) => {
      if (point.endsWith('trouble')) server.failNext('500-before');
      return server.deliver(`${victim.url}/v1/webhooks/stripe`, server.books.failRefund(refunds()[0]!.id));
    },
    26 * HOUR_MS,
    async () => {
      await eventually('repaid', async () => {
        const { payment } = await orderOf(survivor.api, id);
        const rows = await database.query<any>(`SELECT state, late_failures FROM refunds WHERE order_id = $1`, [id]);
        return payment.state === 'REFUNDED' && rows[0].state === 'SETTLED' && rows[0].late_failures === 1;
      });
      await eventually('at rest', async () => {
        const [row] = await database.query<any>(
          `SELECT (SELECT count(*)::int FROM sagas WHERE state IN ('RUNNING', 'COMPENSATING')) AS sagas,
             (SELECT count(*)::int FROM webhook_inbox WHERE state = 'RECEIVED') AS events`,
        );
        return row.sagas === 0 && row.events === 0;
      });
      expect(refunds().map(({ status }) => status)).toEqual(['succeeded', 'failed']);
      expect(server.books.keptOf(id)).toBe(0);
      await expectSound(survivor.api);
    },
    async () => {
      id = (await checkOut(survivor.api, crashes.sku)).body.id;
      const { status } = await survivor.api.post(`/v1/orders/${id}/cancel`, {}, admin);
      expect(status).toBe(200);
    },
  );
}
