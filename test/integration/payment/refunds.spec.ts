import { startTestApp, TestApp } from '../../setup/test-app.js';
import { checkOut, expectSound, ledgerOf, newSku, orderOf, outcomeOf } from '../../setup/shop.js';

describe('refunds', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ GATEWAY_TIMEOUT_MS: '10000' });
    other = await startTestApp({ GATEWAY_TIMEOUT_MS: '10000' }, test.database);
  });
  afterAll(async () => {
    await other.close();
    await test.close();
  });
  afterEach(() => expectSound(test.api));

  const refund = (app: TestApp, id: string, amount?: number, idempotencyKey?: string) =>
    app.api.post(
      `/v1/orders/${id}/refunds`,
      { reason: 'test', ...(amount !== undefined && { amount }) },
      { key: 'admin', headers: { prefer: 'wait=25' }, ...(idempotencyKey !== undefined && { idempotencyKey }) },
    );
  /** A crowd takes turns, on a slow machine for longer than a request waits: it asks again. */
  const refundOnce = (app: TestApp, id: string, amount?: number) =>
    outcomeOf('a refund', (idempotencyKey) => refund(app, id, amount, idempotencyKey));
  const rowsOf = (id: string) =>
    test.database.query<{ state: string; amount: string }>(`SELECT state, amount FROM refunds WHERE order_id = $1`, [
      id,
    ]);

  it('never exceed what was captured: 20 full and 20 partial ones at once, over two instances', async () => {
    const sku = await newSku(test.api);
    const { body: order } = await checkOut(test.api, sku, 'pm_card_visa', { quantity: 10 });
    expect(order.total).toBe(10_000);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => refundOnce(n % 2 ? test : other, order.id, n < 20 ? undefined : 600)),
    );
    const granted = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, body } of refused)
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'REFUND_EXCEEDS_CAPTURED' });
    const sum = granted.reduce((total, { body }) => total + Number(body.amount), 0);
    // A full refund takes whatever is left, so that all is paid back and not a cent more.
    expect(sum).toBe(10_000);
    const rows = await rowsOf(order.id);
    expect(rows.every(({ state }) => state === 'SETTLED')).toBe(true);
    expect(rows.reduce((total, { amount }) => total + Number(amount), 0)).toBe(10_000);
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ state: 'REFUNDED', refundedAmount: 10_000 }]);
    expect((await orderOf(test.api, order.id)).payment).toMatchObject({ state: 'REFUNDED', refundedAmount: 10_000 });
  });

  it('that are all partial stop at the last one that fits', async () => {
    const { body: order } = await checkOut(test.api, await newSku(test.api), 'pm_card_visa', { quantity: 10 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => refundOnce(n % 2 ? test : other, order.id, 700)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(14);
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ state: 'CAPTURED', refundedAmount: 9_800 }]);
    expect((await orderOf(test.api, order.id)).payment).toMatchObject({ state: 'CAPTURED', refundedAmount: 9_800 });
    expect((await refund(test, order.id, 201)).body).toMatchObject({
      code: 'REFUND_EXCEEDS_CAPTURED',
      refundable: 200,
    });
    expect(await refund(test, order.id)).toMatchObject({ status: 201, body: { amount: 200, state: 'SETTLED' } });
  });

  it('happen once per key, however often they are asked for', async () => {
    const { body: order } = await checkOut(test.api, await newSku(test.api));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => refund(n % 2 ? test : other, order.id, 300, `refund-${order.id}`)),
    );
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(
      answers.filter(({ status }) => status === 409).every(({ body }) => body.code === 'IDEMPOTENCY_IN_PROGRESS'),
    ).toBe(true);
    const replay = await refund(test, order.id, 300, `refund-${order.id}`);
    expect(replay).toMatchObject({ status: 201, body: { amount: 300, state: 'SETTLED' } });
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(await rowsOf(order.id)).toHaveLength(1);
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ refundedAmount: 300 }]);
  });

  it('and a cancellation that race pay back exactly the total', async () => {
    const { body: order } = await checkOut(test.api, await newSku(test.api), 'pm_card_visa', { quantity: 5 });
    const cancel = () =>
      outcomeOf('a cancellation', (idempotencyKey) =>
        test.api.post(`/v1/orders/${order.id}/cancel`, {}, { key: 'admin', idempotencyKey }),
      );
    const [cancelled] = await Promise.all([
      cancel(),
      ...Array.from({ length: 10 }, (_, n) => refundOnce(n % 2 ? test : other, order.id, 700)),
    ]);
    expect(cancelled).toMatchObject({ status: 200, body: { state: 'CANCELLED' } });
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ state: 'REFUNDED', refundedAmount: 5_000 }]);
  });

  it('are settled although the provider answers a third of the calls with a 500', async () => {
    await test.api.put('/v1/sandbox/faults', { refundErrorRate: 0.35 });
    try {
      const { body: order } = await checkOut(test.api, await newSku(test.api), 'pm_sandbox_refund_fails');
      const answers = await Promise.all([300, 300, 400].map((amount) => refundOnce(test, order.id, amount)));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(await ledgerOf(test.api, order.id)).toMatchObject([{ state: 'REFUNDED', refundedAmount: 1_000 }]);
    } finally {
      await test.api.put('/v1/sandbox/faults', {});
    }
  });

  it('are refused for an order without money', async () => {
    const { body } = await checkOut(test.api, await newSku(test.api), 'pm_card_chargeDeclined');
    expect((await refund(test, body.orderId)).body.code).toBe('INVALID_STATE');
    expect((await refund(test, '0198d1f0-0000-7000-8000-000000000000')).body.code).toBe('ORDER_NOT_FOUND');
  });
});
