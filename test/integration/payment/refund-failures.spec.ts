import { ReconciliationService } from '../../../src/audit/reconciliation/reconciliation.service.js';
import { StripeServer } from '../../payment/stripe-server.js';
import { violations } from '../../setup/invariants.js';
import { refuseConfirmations } from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { HOUR_MS, passTime, startOnStripe } from './aging.js';
import { eventually } from '../../setup/eventually.js';
import { checkOut, expectSound, ledgerOf, newSku, orderIn, orderOf, timelineOf } from '../../setup/shop.js';

const DAYS_MS = 72 * HOUR_MS;
const admin = { key: 'admin' } as const;

describe('a refund that fails days after it had settled', () => {
  let server: StripeServer;
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    server = await new StripeServer().start();
    test = await startOnStripe(server);
    other = await startOnStripe(server, {}, test.database);
  });
  afterAll(async () => {
    await other.close();
    await test.close();
    await server.stop();
  });

  const intentOf = (orderId: string) => server.books.intentsOf(orderId)[0]!;
  /** Newest first. */
  const refundsOf = (orderId: string) => server.books.refundsOf(intentOf(orderId).id);
  const rowsOf = (orderId: string) =>
    test.database.query<any>(
      `SELECT state, attempt, late_failures, amount::int FROM refunds WHERE order_id = $1 ORDER BY created_at`,
      [orderId],
    );
  const hook = (app: TestApp, event: Parameters<StripeServer['deliver']>[1]) =>
    server.deliver(`${app.url}/v1/webhooks/stripe`, event);
  const violated = async () => {
    const { body } = await test.api.get('/v1/invariants', admin);
    return body.checks.filter((check: any) => !check.ok).map((check: any) => check.name);
  };
  const reconcile = (hours: number) =>
    test.app
      .get(ReconciliationService, { strict: false })
      .run(new Date(Date.now() - hours * HOUR_MS), AbortSignal.timeout(20_000));
  const bought = async () => (await checkOut(test.api, await newSku(test.api))).body.id as string;
  const cancelled = async () => {
    const id = await bought();
    const { body } = await test.api.post(`/v1/orders/${id}/cancel`, {}, admin);
    expect(body).toMatchObject({ state: 'CANCELLED', payment: { state: 'REFUNDED' } });
    return id;
  };
  const repaid = (id: string) =>
    eventually('repaid', async () => {
      const { payment } = await orderOf(test.api, id);
      return payment.state === 'REFUNDED' && refundsOf(id)[0]?.status === 'succeeded';
    });
  const sagasOf = (id: string, name = 'repay-refund') =>
    test.database.query<any>(`SELECT id, state, phase, failure FROM sagas WHERE subject = $1 AND name = $2`, [
      id,
      name,
    ]);

  it('is paid again, once, however often and wherever its callback comes', async () => {
    const id = await cancelled();
    await passTime(test.database, server, DAYS_MS);
    server.books.refundStatus = 'pending';
    const failed = server.books.failRefund(refundsOf(id)[0]!.id);
    // Other events about the same, as Stripe sends them.
    const events = [
      failed,
      ...['refund.updated', 'charge.refund.updated'].map((type) => ({ ...failed, type, id: type })),
    ];
    await Promise.all(events.flatMap((event) => [hook(test, event), hook(other, event)]));
    await eventually('taken back', async () => (await rowsOf(id))[0].late_failures === 1);
    // Owed, and visible as that; the order itself is over.
    await eventually('sent', () => Promise.resolve(refundsOf(id).length === 2));
    expect(await orderOf(test.api, id)).toMatchObject({
      ...{ state: 'CANCELLED', payment: { state: 'CAPTURED', refundedAmount: 0 } },
    });
    server.books.settleRefunds();
    await repaid(id);
    await eventually('processed', async () => {
      const rows = await test.database.query(`SELECT FROM webhook_inbox WHERE state <> 'PROCESSED'`);
      return rows.length === 0;
    });
    expect(await rowsOf(id)).toEqual([{ state: 'SETTLED', attempt: 2, late_failures: 1, amount: 1_000 }]);
    expect(refundsOf(id).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    expect(await sagasOf(id)).toMatchObject([{ state: 'COMPLETED' }]);
    expect(await sagasOf(id)).toHaveLength(1);
    const notes = (await timelineOf(test.api, id)).map(({ kind }) => kind);
    expect(notes).toEqual(expect.arrayContaining(['refund.taken-back', 'refund.settled', 'callback.received']));
    const told = await test.database.query(`SELECT FROM outbox WHERE subject = $1 AND type = 'refund.failed'`, [id]);
    expect(told).toHaveLength(1);
    expect(server.books.keptOf(id)).toBe(0);
    await expectSound(test.api);
  });

  it('in part is paid again in that part, and nobody can ask for it a second time meanwhile', async () => {
    const id = await bought();
    const refund = (amount: number) => test.api.post(`/v1/orders/${id}/refunds`, { amount, reason: 'x' }, admin);
    expect((await refund(300)).status).toBe(201);
    expect((await refund(200)).status).toBe(201);
    await passTime(test.database, server, DAYS_MS);
    await hook(test, server.books.failRefund(refundsOf(id)[1]!.id));
    await eventually('taken back', async () => (await rowsOf(id))[0].late_failures === 1);
    expect((await refund(600)).body.code).toBe('REFUND_EXCEEDS_CAPTURED');
    await eventually('repaid', async () => (await orderOf(test.api, id)).payment.refundedAmount === 500);
    expect(await rowsOf(id)).toMatchObject([
      { state: 'SETTLED', amount: 300, attempt: 2 },
      { state: 'SETTLED', amount: 200, attempt: 1 },
    ]);
    expect(server.books.keptOf(id)).toBe(500);
    await expectSound(test.api);
  });

  it('is seen by the invariants and repaired by a reconciliation when its callback is lost', async () => {
    const id = await cancelled();
    await passTime(test.database, server, DAYS_MS);
    expect((await reconcile(1)).findings).toEqual([]);
    server.books.failRefund(refundsOf(id)[0]!.id);
    expect(await violated()).toEqual(['provider-ledger-equals-payments']);
    expect((await reconcile(1)).findings).toMatchObject([{ kind: 'refund-failed', orderId: id, result: 'paid back' }]);
    await repaid(id);
    expect((await reconcile(1)).findings).toEqual([]);
    await expectSound(test.api);
  });

  it('is found by its amounts when it is so long ago that nothing lists it any more', async () => {
    const id = await cancelled();
    server.books.failRefund(refundsOf(id)[0]!.id);
    await passTime(test.database, server, 40 * 24 * HOUR_MS);
    expect((await reconcile(1)).findings).toEqual([]);
    expect((await reconcile(60 * 24)).findings).toMatchObject([
      { kind: 'refund-failed', orderId: id, result: 'paid back' },
    ]);
    await repaid(id);
    await expectSound(test.api);
  });

  it('is not believed on the word of an event', async () => {
    const id = await cancelled();
    const refund = refundsOf(id)[0]!;
    const event = { ...server.books.events[0]!, id: 'evt_forged', type: 'refund.failed' };
    await hook(test, { ...event, data: { object: { ...refund, status: 'failed' } } });
    const row = await eventually('looked', async () => {
      const [found] = await test.database.query<any>(`SELECT * FROM webhook_inbox WHERE event_id = 'evt_forged'`);
      return found?.error ? found : undefined;
    });
    expect(row.error).toContain('does not confirm');
    expect(await rowsOf(id)).toMatchObject([{ state: 'SETTLED', attempt: 1 }]);
    await test.database.query(`DELETE FROM webhook_inbox WHERE event_id = 'evt_forged'`);
  });

  it('again and again is left to a person, FAILED for everybody to see, and paid when that person says so', async () => {
    const id = await cancelled();
    for (let failures = 1; failures <= 4; failures += 1) {
      await hook(test, server.books.failRefund(refundsOf(id)[0]!.id));
      await eventually('taken back', async () => (await rowsOf(id))[0].late_failures === failures);
      if (failures < 4) await repaid(id);
    }
    const stuck = await eventually('stuck', async () => (await sagasOf(id)).find(({ state }) => state === 'STUCK'));
    expect(stuck.failure.detail).toMatch(/failed 4 times .* expired_or_canceled_card/);
    expect(await rowsOf(id)).toMatchObject([{ state: 'FAILED' }]);
    expect(refundsOf(id)).toHaveLength(4);
    expect(await violated()).toEqual(['unconfirmed-net-zero']);
    // No violation while somebody is at it.
    const setState = (state: string) =>
      test.database.query(`UPDATE sagas SET state = $2, due_at = now() + interval '1 hour' WHERE id = $1`, [
        stuck.id,
        state,
      ]);
    await setState('RUNNING');
    expect(await violated()).toEqual([]);
    await setState('STUCK');
    expect((await test.api.post(`/v1/sagas/${stuck.id}/retry`, { reason: 'a new card' }, admin)).status).toBe(200);
    await repaid(id);
    expect(await rowsOf(id)).toMatchObject([{ state: 'SETTLED', attempt: 5, late_failures: 4 }]);
    await eventually('the saga ends', async () => (await sagasOf(id)).every(({ state }) => state === 'COMPLETED'));
    await expectSound(test.api);
  });

  it('of a stray charge is paid again, too', async () => {
    const { body } = await checkOut(test.api, await newSku(test.api), 'pm_card_chargeDeclined');
    const { orderId } = body;
    const metadata = { orderId, idempotencyKey: 'somebody-elses' };
    // Another amount than the order's, of which the bank had sent a part back already.
    const params = { amount: '1700', currency: 'eur', confirm: 'true', payment_method: 'pm_card_visa', metadata };
    server.books.createIntent(params);
    const stray = server.books.intentsOf(orderId).find(({ status }) => status === 'succeeded')!;
    server.books.createRefund({ payment_intent: stray.id, amount: '200' });
    const captured = server.books.events.find(({ type }) => type === 'payment_intent.succeeded')!;
    await hook(test, captured);
    await eventually('paid back', () => Promise.resolve(server.books.keptOf(orderId) === 0));
    await eventually('booked', async () => (await sagasOf(orderId, 'refund-stray-charge'))[0]?.state === 'COMPLETED');
    await passTime(test.database, server, DAYS_MS);
    const [refund] = server.books.refundsOf(stray.id);
    const failed = server.books.failRefund(refund!.id);
    expect(server.books.keptOf(orderId)).toBe(1_500);
    expect(await violated()).toContain('provider-ledger-equals-payments');
    await Promise.all([hook(test, failed), hook(other, failed), hook(other, { ...failed, id: 'evt_again' })]);
    await eventually('repaid', async () => (await sagasOf(orderId, 'repay-stray-charge'))[0]?.state === 'COMPLETED');
    expect(server.books.refundsOf(stray.id).map(({ status, amount }) => [status, amount])).toEqual([
      ['succeeded', 1_500],
      ['failed', 1_500],
      ['succeeded', 200],
    ]);
    expect(await sagasOf(orderId, 'repay-stray-charge')).toHaveLength(1);
    const rows = await test.database.query<any>(
      `SELECT refunded_amount::int AS refunded, late_failures FROM stray_charges WHERE order_id = $1`,
      [orderId],
    );
    expect(rows).toEqual([{ refunded: 1_700, late_failures: 1 }]);
    await expectSound(test.api);
  });
});

describe('the sandbox', () => {
  it('takes the refund of a rejected order back, which is paid again', async () => {
    const test = await startTestApp({ SAGA_BACKOFF_FACTOR: '0.01', RECONCILE_SECONDS: '3600' });
    try {
      await refuseConfirmations(test.database);
      await test.api.put('/v1/sandbox/faults', { lateFailureMs: 300, processingMs: 300 });
      const sku = await newSku(test.api);
      const basket = { currency: 'EUR', lines: [{ sku, quantity: 1 }], metadata: { refuse: true } };
      const payment = { method: 'pm_sandbox_refund_fails_late' };
      const { status, body } = await test.api.post('/v1/checkouts', { ...basket, payment });
      expect(status).toBe(503);
      const { orderId } = body;
      await orderIn(test.api, orderId, 'REJECTED');
      const rows = () =>
        test.database.query<any>(`SELECT state, attempt, late_failures FROM refunds WHERE order_id = $1`, [orderId]);
      await eventually('repaid', async () => {
        const [row] = await rows();
        return row.late_failures === 1 && row.state === 'SETTLED' && row;
      });
      expect(await ledgerOf(test.api, orderId)).toMatchObject([{ state: 'REFUNDED', refundedAmount: 1_000 }]);
      expect(await violations(test.database)).toEqual({});
      await expectSound(test.api);
      // And a charge that is processed for a while.
      const slow = await checkOut(test.api, sku, 'pm_sandbox_processing');
      expect(slow).toMatchObject({ status: 202, body: { payment: { state: 'PENDING' } } });
      expect(slow.body.nextAction).toBeUndefined();
      await orderIn(test.api, slow.body.id, 'CONFIRMED');
      await expectSound(test.api);
    } finally {
      await test.close();
    }
  });
});
