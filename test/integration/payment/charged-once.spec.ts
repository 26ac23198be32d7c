import { randomUUID } from 'node:crypto';
import { AppProcess, startAppProcess } from '../../setup/app-process.js';
import { startRedis } from '../../setup/redis-server.js';
import { createTestDatabase, requiredEnv, TestDatabase } from '../../setup/test-database.js';
import { eventually } from '../../setup/eventually.js';
import { checkOut, expectSound, ledgerOf, newSku, orderEnded, orderIn } from '../../setup/shop.js';

/** Guards against a hang: several processes are started here. */
const LONG_MS = 600_000;

describe('an order is charged once', () => {
  let database: TestDatabase;
  const running: AppProcess[] = [];
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.stop('SIGKILL')));
    await database.drop();
  });

  const start = async (env: Record<string, string>) => {
    const app = await startAppProcess({ DATABASE_URL: database.url, SAGA_LEASE_MS: '1000', ...env });
    running.push(app);
    return app;
  };

  it(
    'by 50 attempts at once over two instances, while sagas are torn away and Redis is killed',
    async () => {
      const redis = await startRedis();
      const env = { REDIS_URL: redis.url, GATEWAY_TIMEOUT_MS: '3000' };
      const [one, two] = [await start(env), await start(env)];
      const sku = await newSku(one.api, 5);
      const idempotencyKey = randomUUID();
      // The charge takes 2 s: long enough to kill Redis, and to take the saga from its owner, in the middle of it.
      const attempts = Array.from({ length: 50 }, (_, n) =>
        checkOut(n % 2 ? one.api : two.api, sku, 'pm_sandbox_slow', { idempotencyKey }),
      );
      await eventually(
        'the charge is made',
        async () => (await database.query(`SELECT FROM sandbox.charges`)).length > 0,
      );
      await redis.kill();
      const tearing = setInterval(
        () =>
          void database
            .query(`UPDATE sagas SET due_at = now() WHERE state IN ('RUNNING', 'COMPENSATING')`)
            .catch(() => undefined),
        700,
      );
      const answers = await Promise.all(attempts);
      clearInterval(tearing);
      for (const { status, body } of answers) {
        const isExpected =
          status === 201 ||
          status === 202 ||
          (status === 409 && body.code === 'IDEMPOTENCY_IN_PROGRESS') ||
          status === 503;
        expect({ status, body, isExpected }).toMatchObject({ isExpected: true });
      }
      const ids = new Set(answers.flatMap(({ body }) => body.id ?? []));
      expect(ids.size).toBeLessThanOrEqual(1);
      const orders = await database.query<any>(`SELECT id FROM orders`);
      expect(orders).toHaveLength(1);
      const order = await orderEnded(one.api, orders[0].id);
      const ledger = await ledgerOf(one.api, order.id);
      expect(ledger).toHaveLength(1);
      expect(ledger[0]!.refundedAmount).toBe(order.state === 'CONFIRMED' ? 0 : 1_000);
      await eventually('the same answer for everybody who asks again', async () => {
        const { status, body } = await checkOut(two.api, sku, 'pm_sandbox_slow', { idempotencyKey });
        return order.state === 'CONFIRMED' ? status === 201 && body.id === order.id : status >= 400;
      });
      await eventually('sound', async () => (await one.api.get('/v1/invariants', { key: 'admin' })).body.ok === true);
      await expectSound(two.api);
    },
    LONG_MS,
  );

  it(
    'when its process is killed between the charge and its recording',
    async () => {
      const env = { REDIS_URL: requiredEnv('TEST_REDIS_URL'), GATEWAY_TIMEOUT_MS: '3000' };
      const survivor = await start(env);
      const victim = await start({ ...env, FAULT_POINT: 'after-call:process-payment:call=kill' });
      const sku = await newSku(survivor.api, 5);
      const idempotencyKey = randomUUID();
      const lost = checkOut(victim.api, sku, 'pm_card_visa', { idempotencyKey }).catch(() => undefined);
      await victim.exited();
      expect(await lost).toBeUndefined();
      const [row] = await database.query<any>(`SELECT id FROM orders`);
      expect((await survivor.api.get(`/v1/orders/${row.id}`, { key: 'admin' })).body).toBeDefined();
      await orderIn(survivor.api, row.id, 'CONFIRMED');
      expect(await ledgerOf(survivor.api, row.id)).toMatchObject([{ state: 'CAPTURED', refundedAmount: 0 }]);
      const again = await checkOut(survivor.api, sku, 'pm_card_visa', { idempotencyKey });
      expect(again).toMatchObject({ status: 201, body: { id: row.id, state: 'CONFIRMED' } });
      await expectSound(survivor.api);
    },
    LONG_MS,
  );

  it(
    'when its process is killed while it waits for an answer, and no other was there',
    async () => {
      const env = { GATEWAY_TIMEOUT_MS: '3000' };
      const victim = await start(env);
      const sku = await newSku(victim.api, 5);
      void checkOut(victim.api, sku, 'pm_sandbox_slow').catch(() => undefined);
      await eventually(
        'the charge is made',
        async () => (await database.query(`SELECT FROM sandbox.charges`)).length > 0,
      );
      await victim.stop('SIGKILL');
      const [row] = await database.query<any>(
        `SELECT orders.id, payments.state FROM orders JOIN payments ON order_id = orders.id`,
      );
      expect(row.state).toBe('PENDING');
      const next = await start(env);
      await orderIn(next.api, row.id, 'CONFIRMED');
      expect(await ledgerOf(next.api, row.id)).toMatchObject([{ state: 'CAPTURED', refundedAmount: 0 }]);
      await expectSound(next.api);
    },
    LONG_MS,
  );

  it(
    'when its process is killed between the callback and its effect',
    async () => {
      const env = { SANDBOX_AUTHENTICATION_MS: '0', RECONCILE_SECONDS: '3600' };
      const victim = await start(env);
      const { body } = await checkOut(victim.api, await newSku(victim.api, 5), 'pm_card_authenticationRequired');
      const url = new URL(body.nextAction.url);
      await fetch(`${victim.url}${url.pathname}/approve`, { method: 'POST' });
      await eventually('stored', async () => (await database.query(`SELECT FROM webhook_inbox`)).length > 0);
      await victim.stop('SIGKILL');
      const next = await start(env);
      // If the victim had begun, its claim and its lock end by themselves; the test need not wait for that.
      await database.query(`DELETE FROM lock_leases`);
      await database.query(`UPDATE webhook_inbox SET due_at = now() WHERE state = 'RECEIVED'`);
      await orderIn(next.api, body.id, 'CONFIRMED');
      expect(await ledgerOf(next.api, body.id)).toMatchObject([{ state: 'CAPTURED', refundedAmount: 0 }]);
      await eventually('processed', async () => {
        const rows = await database.query<any>(`SELECT state FROM webhook_inbox`);
        return rows.length === 1 && rows[0].state === 'PROCESSED';
      });
      await expectSound(next.api);
    },
    LONG_MS,
  );
});
