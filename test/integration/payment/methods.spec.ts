import { randomUUID } from 'node:crypto';
import { eventually } from '../../setup/eventually.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { basket, checkOut, expectSound, ledgerOf, newSku, orderEnded, orderIn, orderOf } from '../../setup/shop.js';

/** Every method of the sandbox: what the buyer hears, what becomes of the order, and what the provider's ledger says. */
describe('payment methods', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ GATEWAY_TIMEOUT_MS: '1000', SANDBOX_AUTHENTICATION_MS: '200' });
  });
  afterAll(async () => {
    await expectSound(test.api);
    await test.close();
  });

  const stockOf = async (sku: string) => {
    const { onHand, reserved } = (await test.api.get(`/v1/skus/${encodeURIComponent(sku)}`)).body;
    return { onHand, reserved };
  };
  const CONFIRMED = {
    status: 201,
    state: 'CONFIRMED',
    payment: 'CAPTURED',
    ledger: [{ state: 'CAPTURED' }],
    onHand: 9,
  };
  const REJECTED = { state: 'REJECTED', payment: 'DECLINED', ledger: [], onHand: 10 };

  it.each([
    ['pm_card_visa', CONFIRMED],
    ['pm_card_chargeDeclined', { ...REJECTED, status: 402, code: 'card_declined' }],
    ['pm_card_chargeDeclinedInsufficientFunds', { ...REJECTED, status: 402, code: 'insufficient_funds' }],
    ['pm_no_such_method', { ...REJECTED, status: 402, code: 'invalid_payment_method' }],
    ['pm_card_authenticationRequired', { ...CONFIRMED, status: 202 }],
    ['pm_sandbox_timeout_after_charge', CONFIRMED],
    ['pm_sandbox_timeout_before_charge', { ...REJECTED, status: 503 }],
    ['pm_sandbox_slow', CONFIRMED],
    ['pm_sandbox_error', CONFIRMED],
    ['pm_sandbox_refund_fails', CONFIRMED],
  ])('%s', async (method, expected: any) => {
    const sku = await newSku(test.api, 10);
    const { status, body } = await checkOut(test.api, sku, method);
    expect({ status, code: body.declineCode }).toEqual({ status: expected.status, code: expected.code });
    const order = await orderIn(test.api, body.id ?? body.orderId, expected.state);
    expect(order.payment).toMatchObject({ state: expected.payment, amount: 1_000, refundedAmount: 0, method });
    expect(await ledgerOf(test.api, order.id)).toMatchObject(
      expected.ledger.map((charge: any) => ({ ...charge, amount: 1_000, refundedAmount: 0 })),
    );
    expect(await ledgerOf(test.api, order.id)).toHaveLength(expected.ledger.length);
    expect(await stockOf(sku)).toEqual({ onHand: expected.onHand, reserved: 0 });
  });

  it('says in its 202, as the order does, that the payment is in doubt', async () => {
    const sku = await newSku(test.api, 10);
    const options = { idempotencyKey: randomUUID(), prefer: 'respond-async' };
    const ask = () => checkOut(test.api, sku, 'pm_sandbox_timeout_before_charge', options);
    expect(await ask()).toMatchObject({ status: 202, body: { payment: { state: 'PENDING' } } });
    const { body } = await eventually('an answer that knows of the doubt', ask, {
      until: (answer) => answer.status === 202 && answer.body.payment.state === 'IN_DOUBT',
    });
    expect((await orderIn(test.api, body.id, 'REJECTED')).payment.state).toBe('DECLINED');
  });

  it('lets a person decide where a browser is to come back', async () => {
    const sku = await newSku(test.api, 10);
    const body = basket(sku, { payment: { method: 'pm_card_authenticationRequired' }, returnUrl: `${test.url}/shop` });
    const waiting = await test.api.post('/v1/checkouts', body);
    const unattended = await checkOut(test.api, sku, 'pm_card_authenticationRequired');
    await orderIn(test.api, unattended.body.id, 'CONFIRMED'); // made later, and it has approved itself
    expect((await orderOf(test.api, waiting.body.id)).payment.state).toBe('REQUIRES_ACTION');
    await fetch(`${waiting.body.nextAction.url}/decline`, { method: 'POST' });
    expect((await orderIn(test.api, waiting.body.id, 'REJECTED')).rejection.declineCode).toBe('authentication_failed');
  });

  it('settles a refund that fails twice, and cancels the order behind it', async () => {
    const sku = await newSku(test.api, 10);
    const { body: order } = await checkOut(test.api, sku, 'pm_sandbox_refund_fails');
    const cancelled = await test.api.post(`/v1/orders/${order.id}/cancel`, {}, { key: 'admin' });
    expect(cancelled).toMatchObject({ status: 200, body: { state: 'CANCELLED', payment: { state: 'REFUNDED' } } });
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ state: 'REFUNDED', refundedAmount: 1_000 }]);
    expect(await stockOf(sku)).toEqual({ onHand: 10, reserved: 0 });
    const refunds = await test.database.query(`SELECT state, attempt FROM refunds WHERE order_id = $1`, [order.id]);
    expect(refunds).toEqual([{ state: 'SETTLED', attempt: 3 }]);
  });

  it('ends in one charge or none while the provider answers a third of all calls with a 500', async () => {
    await test.api.put('/v1/sandbox/faults', { chargeErrorRate: 0.35, refundErrorRate: 0.35 });
    try {
      const sku = await newSku(test.api, 100);
      const answers = await Promise.all(Array.from({ length: 40 }, () => checkOut(test.api, sku)));
      for (const { status, body } of answers) {
        const id = body.id ?? body.orderId;
        expect([201, 202, 503]).toContain(status);
        const order = await orderEnded(test.api, id);
        const ledger = await ledgerOf(test.api, id);
        const net = ledger.reduce((sum, charge) => sum + charge.amount - charge.refundedAmount, 0);
        expect(ledger.length).toBeLessThanOrEqual(1);
        expect(net).toBe(order.state === 'CONFIRMED' ? 1_000 : 0);
      }
    } finally {
      await test.api.put('/v1/sandbox/faults', {});
    }
    await expectSound(test.api);
  });

  it('takes no money for an order that costs nothing', async () => {
    const sku = `free:${Date.now()}`;
    await test.api.put(`/v1/skus/${sku}`, { name: 'Free', unitAmount: 0, currency: 'EUR', onHand: 1 });
    const { status, body } = await checkOut(test.api, sku);
    expect({ status, payment: body.payment }).toMatchObject({ status: 201, payment: { state: 'CAPTURED', amount: 0 } });
    expect(await ledgerOf(test.api, body.id)).toEqual([]);
    const cancelled = await test.api.post(`/v1/orders/${body.id}/cancel`, {}, { key: 'admin' });
    expect(cancelled).toMatchObject({ status: 200, body: { state: 'CANCELLED' } });
  });
});
