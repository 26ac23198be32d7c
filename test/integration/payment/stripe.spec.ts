import { randomUUID } from 'node:crypto';
import { ReconciliationService } from '../../../src/audit/reconciliation/reconciliation.service.js';
import { StripeServer } from '../../payment/stripe-server.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { eventually } from '../../setup/eventually.js';
import { checkOut, expectSound, newSku, orderIn, orderOf, timelineOf } from '../../setup/shop.js';

/** The whole service on Stripe's protocol, through the real SDK: what the sandbox shows must hold here too. */
describe('with Stripe', () => {
  let server: StripeServer;
  let test: TestApp;
  beforeAll(async () => {
    server = await new StripeServer().start();
    test = await startTestApp({
      PAYMENT_GATEWAY: 'stripe',
      STRIPE_SECRET_KEY: server.secretKey,
      STRIPE_WEBHOOK_SECRET: server.webhookSecret,
      STRIPE_API_BASE: server.url,
      STRIPE_RETURN_URL: 'https://shop.example/return',
      GATEWAY_TIMEOUT_MS: '1500',
    });
  });
  afterAll(async () => {
    await test.close();
    await server.stop();
  });
  afterEach(() => expectSound(test.api));

  const intentOf = (orderId: string) => server.books.intentsOf(orderId)[0]!;
  const event = (type: string, object: object, id = `evt_${randomUUID()}`) =>
    JSON.stringify({ id, object: 'event', type, created: Math.floor(Date.now() / 1_000), data: { object } });
  const hook = (body: string) => server.sendWebhook(`${test.url}/v1/webhooks/stripe`, body);

  it('confirms, declines, refunds and cancels', async () => {
    const sku = await newSku(test.api);
    const paid = await checkOut(test.api, sku);
    expect(paid).toMatchObject({ status: 201, body: { state: 'CONFIRMED' } });
    expect(intentOf(paid.body.id)).toMatchObject({ status: 'succeeded', amount: 1_000 });
    const declined = await checkOut(test.api, sku, 'pm_card_chargeDeclined');
    expect(declined).toMatchObject({ status: 402, body: { declineCode: 'card_declined' } });
    const refund = await test.api.post(
      `/v1/orders/${paid.body.id}/refunds`,
      { amount: 300, reason: 'x' },
      { key: 'admin' },
    );
    expect(refund).toMatchObject({ status: 201, body: { state: 'SETTLED', amount: 300 } });
    const cancelled = await test.api.post(`/v1/orders/${paid.body.id}/cancel`, {}, { key: 'admin' });
    expect(cancelled).toMatchObject({ status: 200, body: { state: 'CANCELLED', payment: { refundedAmount: 1_000 } } });
  });

  it('charges once when the answer is lost', async () => {
    server.failNext('hang-after');
    const { status, body } = await checkOut(test.api, await newSku(test.api));
    expect(status).toBe(201);
    expect(server.books.intentsOf(body.id)).toHaveLength(1);
  });

  it('waits for the customer, and confirms when Stripe calls', async () => {
    const { status, body } = await checkOut(test.api, await newSku(test.api), 'pm_card_authenticationRequired');
    expect(status).toBe(202);
    expect(body.nextAction).toMatchObject({ type: 'redirect_to_url' });
    const intent = intentOf(body.id);
    const early = event('payment_intent.succeeded', { ...intent, status: 'succeeded' });
    expect(await hook(early)).toBe(200); // before it is true: it wakes the saga, which asks and waits again
    await eventually('looked', async () =>
      (await timelineOf(test.api, body.id)).some(({ kind }) => kind === 'callback.received'),
    );
    server.books.authenticate(intent.id, 'approve');
    const body2 = event('payment_intent.succeeded', intentOf(body.id));
    expect(await Promise.all([hook(body2), hook(body2), hook(body2)])).toEqual([200, 200, 200]);
    await orderIn(test.api, body.id, 'CONFIRMED');
    expect((await orderOf(test.api, body.id)).payment).toMatchObject({ state: 'CAPTURED', refundedAmount: 0 });
  });

  it('goes on with a refund that its saga had given up on, when Stripe says that it is done', async () => {
    const { body: order } = await checkOut(test.api, await newSku(test.api));
    server.books.refundStatus = 'pending';
    const options = { key: 'admin', headers: { prefer: 'respond-async' } } as const;
    const { status, body: refund } = await test.api.post(`/v1/orders/${order.id}/refunds`, { reason: 'x' }, options);
    expect({ status, state: refund.state }).toEqual({ status: 202, state: 'PENDING' });
    await eventually('sent', () =>
      Promise.resolve(
        server.requests.some(
          ({ method, path, params }) =>
            method === 'POST' && path === '/v1/refunds' && params['payment_intent'] === intentOf(order.id).id,
        ),
      ),
    );
    // What the last of its attempts would make of it, some minutes later.
    await eventually('stuck', async () => {
      const rows = await test.database.query(
        `UPDATE sagas SET state = 'STUCK', owner = NULL, epoch = epoch + 1, attempts = 12
         WHERE subject = $1 AND name = 'refund-order' AND phase = 'call' AND attempts > 0 AND state = 'RUNNING' RETURNING id`,
        [order.id],
      );
      return rows.length === 1;
    });
    const [settled] = server.books.settleRefunds();
    expect(await hook(event('refund.updated', settled!))).toBe(200);
    await eventually('settled', async () => (await orderOf(test.api, order.id)).payment.state === 'REFUNDED');
    const notes = (await timelineOf(test.api, order.id)).filter(({ kind }) => kind === 'callback.received');
    expect(notes).toMatchObject([{ detail: { type: 'refund.settled', effect: 'retried' } }]);
  });

  it('takes events in that are not ours, and refuses forged ones', async () => {
    expect(await hook(event('customer.created', { id: 'cus_1', object: 'customer' }))).toBe(200);
    const foreign = { id: 'pi_other', object: 'payment_intent', amount: 1, currency: 'eur', metadata: {} };
    expect(await hook(event('payment_intent.succeeded', foreign))).toBe(200);
    await eventually('processed', async () => {
      const rows = await test.database.query<any>(`SELECT state FROM webhook_inbox WHERE state <> 'PROCESSED'`);
      return rows.length === 0;
    });
    const forged = event('payment_intent.succeeded', foreign);
    const answer = await fetch(`${test.url}/v1/webhooks/stripe`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': server.signature(forged, { secret: 'whsec_x' }),
      },
      body: forged,
    });
    expect(answer.status).toBe(400);
    expect((await fetch(`${test.url}/v1/webhooks/sandbox`, { method: 'POST' })).status).toBe(404);
  });

  it('reconciles', async () => {
    const report = await test.app
      .get(ReconciliationService, { strict: false })
      .run(new Date(Date.now() - 3_600_000), AbortSignal.timeout(20_000));
    expect(report).toMatchObject({ provider: 'stripe', findings: [] });
    expect(report.charges).toBeGreaterThanOrEqual(3);
  });
});
