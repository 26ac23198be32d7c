import { AuthorizationExpiryJob } from '../../../src/orders/capture/authorization-expiry.job.js';
import { ReconciliationService } from '../../../src/audit/reconciliation/reconciliation.service.js';
import { StripeServer } from '../../payment/stripe-server.js';
import type { StripeEvent } from '../../payment/stripe-objects.js';
import { authorizedOrder, cancel, capture, refund } from '../../setup/captures.js';
import { eventually } from '../../setup/eventually.js';
import { expectSound, ledgerOf, newSku, orderOf, timelineOf } from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { startOnStripe, passTime } from './aging.js';

const DAY_MS = 86_400_000;
const admin = { key: 'admin' } as const;

const eventsOf = async ({ database }: TestApp, id: string) =>
  database.query<{ type: string; payload: any }>(
    `SELECT type, payload FROM outbox WHERE subject = $1 ORDER BY position`,
    [id],
  );
const attentionOf = async ({ api }: TestApp, kind: string) =>
  (await api.get('/v1/attention', admin)).body.groups.filter((group: any) => group.kind === kind);
const paymentIn = (test: TestApp, id: string, state: string) =>
  eventually(`payment of ${id} is ${state}`, async () => (await orderOf(test.api, id)).payment, {
    until: (payment) => payment.state === state,
  });

describe('the end of an authorisation, at the sandbox', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ SAGA_BACKOFF_FACTOR: '0.05', AUTHORIZATION_DAYS: '5' });
    other = await startTestApp({ SAGA_BACKOFF_FACTOR: '0.05' }, test.database);
  });
  afterAll(async () => {
    await other.close();
    await test.close();
  });
  afterEach(() => expectSound(test.api));

  const endsIn = (id: string, ms: number) =>
    test.database.query(
      `UPDATE payments SET authorized_until = now() + $2 * interval '1 millisecond' WHERE order_id = $1`,
      [id, ms],
    );
  const sweep = () =>
    Promise.all([test, other].map(({ app }) => app.get(AuthorizationExpiryJob, { strict: false }).runNow()));
  const until = (order: any) => Math.round((Date.parse(order.payment.authorizedUntil) - Date.now()) / DAY_MS);

  it('is as far away as the shop says, and announced a day before, once', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    expect(until(order)).toBe(5);
    await sweep();
    expect((await eventsOf(test, order.id)).map(({ type }) => type)).not.toContain('payment.authorization_expiring');
    await endsIn(order.id, DAY_MS - 60_000);
    await sweep();
    await sweep();
    const announced = (await eventsOf(test, order.id)).filter(({ type }) => type === 'payment.authorization_expiring');
    const payload = { orderId: order.id, paymentId: order.payment.id, amount: 1_000, currency: 'EUR' };
    expect(announced).toMatchObject([{ payload }]);
    expect((await timelineOf(test.api, order.id)).map(({ kind }) => kind)).toContain('payment.authorization_expiring');
    const [group] = await attentionOf(test, 'authorization-expiring');
    expect(group).toMatchObject({ count: 1, recommended: 'capture', items: [{ orderId: order.id }] });
    expect(group.summary).toBe('captures 10.00 EUR');
    expect((await capture(test.api, order.id)).status).toBe(200);
    expect(await attentionOf(test, 'authorization-expiring')).toEqual([]);
  });

  it('frees the card, is published and waits for a person, until the order is cancelled', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    await endsIn(order.id, -1_000);
    await sweep();
    await paymentIn(test, order.id, 'EXPIRED');
    await sweep();
    expect((await eventsOf(test, order.id)).map(({ type }) => type)).toEqual([
      ...['payment.authorized', 'order.confirmed'],
      ...['payment.authorization_expiring', 'payment.authorization_expired'],
    ]);
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ state: 'VOIDED', capturedAmount: 0 }]);
    expect((await capture(test.api, order.id)).body).toMatchObject({ code: 'INVALID_STATE', state: 'EXPIRED' });
    const [group] = await attentionOf(test, 'authorization-expired');
    expect(group).toMatchObject({ count: 1, recommended: 'cancel', items: [{ orderId: order.id }] });
    const { body: metrics } = await test.api.get('/metrics', admin);
    expect(metrics).toMatch(/^authorizations_expired 1$/m);
    const cancelled = await cancel(test.api, order.id);
    expect(cancelled.body).toMatchObject({ state: 'CANCELLED', payment: { state: 'EXPIRED' } });
    expect(await attentionOf(test, 'authorization-expired')).toEqual([]);
  });

  it('comes from the provider, too, and by its callback', async () => {
    await test.api.put('/v1/sandbox/faults', { authorizationMs: 1 });
    const order = await authorizedOrder(test.api, await newSku(test.api));
    await test.api.put('/v1/sandbox/faults', {});
    await paymentIn(test, order.id, 'EXPIRED');
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ state: 'EXPIRED' }]);
    const callbacks = (await timelineOf(test.api, order.id)).filter(({ kind }) => kind === 'callback.received');
    expect(callbacks).toMatchObject([{ detail: { type: 'charge.voided', effect: 'closing' } }]);
    await cancel(test.api, order.id);
  });

  it('is found where no callback came, and so is a capture that we do not know of', async () => {
    const [ended, taken] = await Promise.all([0, 1].map(async () => authorizedOrder(test.api, await newSku(test.api))));
    const change = `UPDATE sandbox.charges SET expires_at = NULL, updated_at = now(), `;
    await test.database.query(`${change} state = 'EXPIRED' WHERE order_id = $1`, [ended.id]);
    await test.database.query(`${change} state = 'CAPTURED', captured_amount = 300 WHERE order_id = $1`, [taken.id]);
    const { body } = await test.api.get('/v1/invariants', admin);
    const check = body.checks.find(({ name }: { name: string }) => name === 'provider-ledger-equals-payments');
    expect(check.violations.map(({ orderId }: any) => orderId).sort()).toEqual([ended.id, taken.id].sort());
    const report = await test.app
      .get(ReconciliationService, { strict: false })
      .run(new Date(Date.now() - 3_600_000), AbortSignal.timeout(20_000));
    const kinds = report.findings.map(({ kind, result, orderId }) => [kind, result, orderId]);
    const expected = [ended, taken].map(({ id }) => ['authorization-ended', 'closed', id]);
    expect(kinds.sort()).toEqual(expected.sort());
    expect(await paymentIn(test, ended.id, 'EXPIRED')).toMatchObject({ capturedAmount: 0 });
    expect(await paymentIn(test, taken.id, 'CAPTURED')).toMatchObject({ capturedAmount: 300 });
    await cancel(test.api, ended.id);
  });

  it('does not come twice: a capture and the end of its time at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const order = await authorizedOrder(test.api, await newSku(test.api));
      await endsIn(order.id, -1_000);
      const [captured] = await Promise.all([capture(test.api, order.id), sweep(), sweep()]);
      const end = captured.status === 200 ? 'CAPTURED' : 'EXPIRED';
      await paymentIn(test, order.id, end);
      const [charge] = await ledgerOf(test.api, order.id);
      expect(charge!.capturedAmount).toBe(end === 'CAPTURED' ? 1_000 : 0);
      if (end === 'EXPIRED') await cancel(test.api, order.id);
    }
  });

  it('is a void where nobody waits for the charge any more', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    await cancel(test.api, order.id);
    // A request that arrived when its order had been given up: the provider has authorised a second charge.
    await test.database.query(
      `INSERT INTO sandbox.charges (id, idempotency_key, order_id, amount, currency, method, state, authorization_ms, expires_at)
       SELECT 'ch_' || lpad(to_hex((extract(epoch FROM now()) * 1000)::int8), 12, '0') || 'late', 'late', order_id, amount, currency, method, 'AUTHORIZED', 1e9, now() + interval '7 days'
       FROM sandbox.charges WHERE order_id = $1`,
      [order.id],
    );
    const report = await test.app
      .get(ReconciliationService, { strict: false })
      .run(new Date(Date.now() - 3_600_000), AbortSignal.timeout(20_000));
    expect(report.findings).toMatchObject([{ kind: 'stray-authorization', result: 'voided', orderId: order.id }]);
    expect((await ledgerOf(test.api, order.id)).map(({ state }) => state)).toEqual(['VOIDED', 'VOIDED']);
  });
});

describe('late facts of Stripe', () => {
  let server: StripeServer;
  let test: TestApp;
  beforeAll(async () => {
    server = await new StripeServer().start();
    test = await startOnStripe(server);
  });
  afterAll(async () => {
    await test.close();
    await server.stop();
  });
  afterEach(() => expectSound(test.api));

  const intentOf = (orderId: string) => server.books.intentsOf(orderId)[0]!;
  const deliver = async (event: StripeEvent) => {
    expect(await server.deliver(`${test.url}/v1/webhooks/stripe`, event)).toBe(200);
    await eventually('processed', async () => {
      const rows = await test.database.query(`SELECT 1 FROM webhook_inbox WHERE state = 'RECEIVED'`);
      return rows.length === 0;
    });
  };
  const reconcile = async () =>
    (
      await test.app
        .get(ReconciliationService, { strict: false })
        .run(new Date(Date.now() - 3_600_000), AbortSignal.timeout(20_000))
    ).findings;

  it('authorises, captures a part, refunds it and adds up there', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    expect(intentOf(order.id)).toMatchObject({ status: 'requires_capture', amount_capturable: 1_000 });
    expect((await capture(test.api, order.id, 640)).body.payment).toMatchObject({ capturedAmount: 640 });
    expect(intentOf(order.id)).toMatchObject({ status: 'succeeded', amount_received: 640 });
    expect((await refund(test.api, order.id, 140)).status).toBe(201);
    expect(server.books.keptOf(order.id)).toBe(500);
    expect((await cancel(test.api, order.id)).body.payment).toMatchObject({ state: 'REFUNDED', refundedAmount: 640 });
    expect(server.books.keptOf(order.id)).toBe(0);
    expect(await reconcile()).toEqual([]);
  });

  it.each(['500-before', '500-after', 'hang-after', 'drop-after'] as const)(
    'captures once where the call meets %s',
    async (fault) => {
      const order = await authorizedOrder(test.api, await newSku(test.api));
      server.failNext(fault);
      expect((await capture(test.api, order.id, 800)).body.payment).toMatchObject({ capturedAmount: 800 });
      expect(intentOf(order.id)).toMatchObject({ status: 'succeeded', amount_received: 800 });
    },
  );

  it('pays a refund of a partial capture again that came back', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    await capture(test.api, order.id, 700);
    await refund(test.api, order.id);
    expect((await orderOf(test.api, order.id)).payment).toMatchObject({ state: 'REFUNDED', refundedAmount: 700 });
    const [settled] = server.books.refundsOf(intentOf(order.id).id);
    await deliver(server.books.failRefund(settled!.id));
    await paymentIn(test, order.id, 'REFUNDED');
    await eventually('paid again', () => server.books.keptOf(order.id) === 0);
    await eventually('settled', async () => (await orderOf(test.api, order.id)).payment.refundedAmount === 700);
  });

  it('ends an authorisation by itself after seven days, and we believe it', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    await passTime(test.database, server, 7.1 * DAY_MS);
    const [event] = server.books.events;
    expect(event).toMatchObject({ type: 'payment_intent.canceled' });
    await deliver(event!);
    await paymentIn(test, order.id, 'EXPIRED');
    expect((await eventsOf(test, order.id)).at(-1)).toMatchObject({ type: 'payment.authorization_expired' });
    expect(await attentionOf(test, 'authorization-expired')).toMatchObject([{ items: [{ orderId: order.id }] }]);
    expect((await cancel(test.api, order.id)).body.state).toBe('CANCELLED');
  });

  it('refuses a capture after that, which we learn by asking for one', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    server.books.endAuthorization(intentOf(order.id).id, 'automatic');
    expect((await capture(test.api, order.id)).body).toMatchObject({
      ...{ status: 409, code: 'INVALID_STATE', state: 'EXPIRED', orderId: order.id },
    });
    await paymentIn(test, order.id, 'EXPIRED');
    await cancel(test.api, order.id);
  });

  it('captures and voids in the dashboard are taken over', async () => {
    const [taken, ended] = await Promise.all([0, 1].map(async () => authorizedOrder(test.api, await newSku(test.api))));
    server.books.captureIntent(intentOf(taken.id).id, { amount_to_capture: '900' });
    await deliver(server.books.events.find(({ type }) => type === 'payment_intent.succeeded')!);
    expect(await paymentIn(test, taken.id, 'CAPTURED')).toMatchObject({ capturedAmount: 900 });
    server.books.endAuthorization(intentOf(ended.id).id);
    expect(await reconcile()).toMatchObject([{ kind: 'authorization-ended', result: 'closed', orderId: ended.id }]);
    await paymentIn(test, ended.id, 'EXPIRED');
    await cancel(test.api, ended.id);
  });

  it('disputes are visible on the order, published, and wait for a person until they are decided', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    await capture(test.api, order.id, 900);
    const opened = server.books.disputes.open(intentOf(order.id).id);
    await deliver(opened);
    await deliver({ ...opened, id: 'evt_again' });
    const { id } = opened.data.object;
    const dispute = { id, state: 'OPEN', amount: 900, currency: 'EUR', reason: 'product_not_received' };
    expect((await orderOf(test.api, order.id)).payment.dispute).toMatchObject(dispute);
    expect(await attentionOf(test, 'dispute')).toMatchObject([{ count: 1, items: [{ orderId: order.id }] }]);
    const { body: metrics } = await test.api.get('/metrics', admin);
    expect(metrics).toMatch(/^disputes_open 1$/m);
    // The decision arrives first, and what came before it changes nothing any more.
    const update = server.books.disputes.move(id, 'under_review');
    await deliver(server.books.disputes.move(id, 'won'));
    await deliver(update);
    expect((await orderOf(test.api, order.id)).payment.dispute).toMatchObject({ ...dispute, state: 'WON' });
    expect(await attentionOf(test, 'dispute')).toEqual([]);
    const types = (await eventsOf(test, order.id)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['payment.disputed', 'payment.dispute_closed']);
    expect((await eventsOf(test, order.id)).at(-1)!.payload).toMatchObject({
      disputeId: id,
      outcome: 'WON',
      amount: 900,
    });
    const kinds = (await timelineOf(test.api, order.id)).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['payment.disputed', 'payment.dispute_closed']));
  });

  it('disputes without a callback are found', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    await capture(test.api, order.id);
    const { id } = server.books.disputes.open(intentOf(order.id).id).data.object;
    expect(await reconcile()).toMatchObject([{ kind: 'dispute', result: 'noted', orderId: order.id }]);
    expect((await orderOf(test.api, order.id)).payment.dispute).toMatchObject({ id, state: 'OPEN' });
    expect(await reconcile()).toEqual([]);
    server.books.disputes.move(id, 'lost');
    await reconcile();
    expect((await orderOf(test.api, order.id)).payment.dispute).toMatchObject({ id, state: 'LOST' });
  });
});
