import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { ReconciliationService } from '../../../src/audit/reconciliation/reconciliation.service.js';
import { KEYS } from '../../setup/app-process.js';
import { programOf } from '../../setup/programs.js';
import { scaled } from '../../setup/scale.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { runningMs } from '../../setup/timing.js';
import { eventually } from '../../setup/eventually.js';
import { checkOut, expectSound, ledgerOf, newSku, orderIn, timelineOf } from '../../setup/shop.js';

/** A comparison of each with each would take many minutes. */
const SECONDS_MS = 60_000;

describe('reconciliation', () => {
  let test: TestApp;
  beforeAll(async () => {
    const env = { GATEWAY_TIMEOUT_MS: '10000', SANDBOX_AUTHENTICATION_MS: '0', RECONCILE_SECONDS: '3600' };
    test = await startTestApp(env);
  });
  afterAll(() => test.close());

  const reconcile = () =>
    test.app.get(ReconciliationService, { strict: false }).run(new Date(0), AbortSignal.timeout(180_000));
  const command = (...args: string[]) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const env = { PATH: process.env['PATH'], NODE_ENV: 'test', DATABASE_URL: test.database.url, ...KEYS };
      execFile(process.execPath, [programOf('reconcile'), ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      );
    });
  /** Captures for the order at the provider, behind our back. */
  const captureAt = async (orderId: string, key: string) => {
    const id = `ch_${randomUUID()}`;
    await test.database.query(
      `INSERT INTO sandbox.charges (id, idempotency_key, order_id, amount, currency, method, state)
       VALUES ($1, $2, $3, 1000, 'EUR', 'pm_card_visa', 'CAPTURED')`,
      [id, key, orderId],
    );
    return id;
  };

  it('finds nothing where everything agrees', async () => {
    const sku = await newSku(test.api);
    const [paid] = await Promise.all([checkOut(test.api, sku), checkOut(test.api, sku, 'pm_card_chargeDeclined')]);
    await test.api.post(`/v1/orders/${paid.body.id}/refunds`, { amount: 10, reason: 'x' }, { key: 'admin' });
    expect(await reconcile()).toMatchObject({ provider: 'sandbox', charges: 2, findings: [] });
  });

  it('pays back what was captured for an order that was given up, and beside a payment', async () => {
    const sku = await newSku(test.api);
    const { body: rejected } = await checkOut(test.api, sku, 'pm_card_chargeDeclined');
    const { body: confirmed } = await checkOut(test.api, sku);
    const strays = [await captureAt(rejected.orderId, randomUUID()), await captureAt(confirmed.id, randomUUID())];
    const { body: before } = await test.api.get('/v1/invariants', { key: 'admin' });
    expect(before.ok).toBe(false);
    const { findings } = await reconcile();
    expect(findings.map(({ kind, transactionId, result }) => ({ kind, transactionId, result }))).toEqual(
      expect.arrayContaining(
        strays.map((transactionId) => ({ kind: 'stray-charge', transactionId, result: 'paid back' })),
      ),
    );
    expect(findings).toHaveLength(2);
    expect(await ledgerOf(test.api, rejected.orderId)).toMatchObject([{ refundedAmount: 1_000 }]);
    const charges = await ledgerOf(test.api, confirmed.id);
    expect(charges.map(({ id, refundedAmount }) => [strays.includes(id), refundedAmount]).sort()).toEqual([
      [false, 0],
      [true, 1_000],
    ]);
    const notes = (await timelineOf(test.api, rejected.orderId)).map(({ kind }) => kind);
    expect(notes).toEqual(expect.arrayContaining(['payment.stray-found', 'refund.settled']));
    expect((await reconcile()).findings).toEqual([]);
    await expectSound(test.api);
  });

  it('pays a stray back once, however many find it at the same moment', async () => {
    const { body } = await checkOut(test.api, await newSku(test.api), 'pm_card_chargeDeclined');
    await captureAt(body.orderId, randomUUID());
    await Promise.all(Array.from({ length: 5 }, () => reconcile()));
    await eventually('paid back', async () => (await ledgerOf(test.api, body.orderId))[0]?.refundedAmount === 1_000);
    await eventually('one saga, done', async () => {
      const rows = await test.database.query<any>(
        `SELECT state FROM sagas WHERE subject = $1 AND name = 'refund-stray-charge'`,
        [body.orderId],
      );
      return rows.length === 1 && rows[0].state === 'COMPLETED';
    });
    await expectSound(test.api);
  });

  it('wakes a checkout whose callback was lost', async () => {
    const { body } = await checkOut(test.api, await newSku(test.api), 'pm_card_authenticationRequired');
    await test.database.query(`UPDATE sandbox.charges SET state = 'CAPTURED' WHERE order_id = $1`, [body.id]);
    expect((await reconcile()).findings).toMatchObject([
      { kind: 'missed-callback', orderId: body.id, result: 'woken' },
    ]);
    await orderIn(test.api, body.id, 'CONFIRMED');
    await expectSound(test.api);
  });

  it('goes on where the last run of any instance ended, however long ago that was', async () => {
    const service = test.app.get(ReconciliationService, { strict: false });
    const hoursBack = async () => {
      const { since } = await service.runFromLast(AbortSignal.timeout(60_000));
      return (Date.now() - since.getTime()) / 3_600_000;
    };
    await test.database.query(`DELETE FROM reconciliations`);
    expect(Math.round(await hoursBack())).toBe(1);
    expect(await hoursBack()).toBeLessThan(0.5);
    // No instance was up for three days.
    await test.database.query(`UPDATE reconciliations SET reconciled_until = now() - interval '72 hours'`);
    expect(Math.round(await hoursBack())).toBe(72);
    expect(await hoursBack()).toBeLessThan(0.5);
  });

  it('prints a report as a command: 0 when all is well or repaired, 1 when somebody has to look', async () => {
    const well = await command();
    expect(well).toMatchObject({ code: 0 });
    expect(well.output).toMatch(/charges of sandbox \(all time\) compared in .* everything agrees/);
    const { body } = await checkOut(test.api, await newSku(test.api), 'pm_card_chargeDeclined');
    const stray = await captureAt(body.orderId, randomUUID());
    const repaired = await command('--hours', '1');
    expect(repaired.output).toMatch(new RegExp(`stray-charge +${body.orderId} +${stray} +paid back`));
    expect(repaired).toMatchObject({ code: 0 });
    expect((await command('--hours', 'x')).code).toBe(2);
    expect((await command('--help')).output).toContain('Usage: npm run reconcile');

    const { body: order } = await checkOut(test.api, await newSku(test.api));
    await test.database.query(`UPDATE sandbox.charges SET refunded_amount = 400 WHERE order_id = $1`, [order.id]);
    const foreign = await captureAt('somebody-elses', randomUUID());
    const open = await command();
    expect(open.output).toMatch(new RegExp(`amounts-differ +${order.id} .* needs attention`));
    expect(open.output).toMatch(new RegExp(`unknown-order +somebody-elses +${foreign} +needs attention`));
    expect(open.output).toContain('2 found, 0 repaired, 2 for you to look at');
    expect(open).toMatchObject({ code: 1 });
    await test.database.query(`UPDATE sandbox.charges SET refunded_amount = 0 WHERE order_id = $1`, [order.id]);
    await test.database.query(`DELETE FROM sandbox.charges WHERE id = $1`, [foreign]);
  });

  const many = scaled(2_000, 10_000);
  it(`compares ${many} payments in seconds and finds the few that differ`, async () => {
    await test.database.query(`
      WITH made AS (SELECT n, gen_random_uuid() AS id, gen_random_uuid() AS saga, gen_random_uuid() AS hold FROM generate_series(1, ${many}) n),
        sold AS (INSERT INTO orders (id, state, currency, total, lines, saga_id, reservation_id)
          SELECT id, 'CONFIRMED', 'EUR', 1000, '[{}]', saga, hold FROM made),
        run AS (INSERT INTO sagas (id, name, version, state, subject, position, phase, data, due_at)
          SELECT saga, 'checkout', 1, 'COMPLETED', id::text, 3, 'end', '{}', now() FROM made),
        held AS (INSERT INTO reservations (id, state, currency, total, expires_at, order_id)
          SELECT hold, 'COMMITTED', 'EUR', 1000, now(), id FROM made),
        paid AS (INSERT INTO payments (id, order_id, provider, state, amount, currency, method, idempotency_key, transaction_id)
          SELECT gen_random_uuid(), id, 'sandbox', 'CAPTURED', 1000, 'EUR', 'pm_card_visa', 'bulk:' || n, 'ch_bulk' || n FROM made WHERE n <> 5)
      INSERT INTO sandbox.charges (id, idempotency_key, order_id, amount, currency, method, state)
        SELECT 'ch_bulk' || n, 'bulk:' || n, id::text, 1000, 'EUR', 'pm_card_visa', 'CAPTURED' FROM made WHERE n <> 7`);
    await test.database.query(`UPDATE sandbox.charges SET refunded_amount = 1 WHERE id = 'ch_bulk9'`);
    const { charges, ms, findings } = await reconcile();
    expect(charges).toBeGreaterThanOrEqual(many - 1);
    expect(findings.map(({ kind, transactionId, result }) => [kind, transactionId, result]).sort()).toEqual([
      ['amounts-differ', 'ch_bulk9', 'needs attention'],
      ['missing-at-provider', 'ch_bulk7', 'needs attention'],
      ['stray-charge', 'ch_bulk5', 'paid back'],
    ]);
    process.stdout.write(`reconciled ${charges} charges in ${ms} ms\n`);
    expect(ms).toBeLessThan(SECONDS_MS);
    const startedAt = runningMs();
    const { body } = await test.api.get('/v1/invariants', { key: 'admin' });
    expect(body.checks.filter((check: any) => !check.ok).map((check: any) => check.name)).toEqual([
      'confirmed-paid-once',
      'provider-ledger-equals-payments',
    ]);
    expect(runningMs() - startedAt).toBeLessThan(SECONDS_MS);
  });
});

describe('the reconciliation job', () => {
  it('repairs by itself', async () => {
    const test = await startTestApp({ RECONCILE_SECONDS: '1', SANDBOX_AUTHENTICATION_MS: '0' });
    try {
      const { body } = await checkOut(test.api, await newSku(test.api), 'pm_card_authenticationRequired');
      await test.database.query(`UPDATE sandbox.charges SET state = 'CAPTURED' WHERE order_id = $1`, [body.id]);
      await orderIn(test.api, body.id, 'CONFIRMED');
    } finally {
      await test.close();
    }
  });
});
