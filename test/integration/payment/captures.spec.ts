import { randomUUID } from 'node:crypto';
import { authorize, authorizedOrder, cancel, capture, refund } from '../../setup/captures.js';
import { balanceOf, newAccount, newGiftCard } from '../../setup/balances.js';
import { eventually } from '../../setup/eventually.js';
import { violations } from '../../setup/invariants.js';
import {
  checkOut,
  expectSound,
  ledgerOf,
  newSku,
  orderEnded,
  orderIn,
  orderOf,
  refuseConfirmations,
  timelineOf,
} from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';

describe('payments that are captured later', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    const env = { GATEWAY_TIMEOUT_MS: '10000', SAGA_BACKOFF_FACTOR: '0.05', SANDBOX_AUTHENTICATION_MS: '0' };
    test = await startTestApp(env);
    other = await startTestApp(env, test.database);
    await refuseConfirmations(test.database);
  });
  afterAll(async () => {
    await other.close();
    await test.close();
  });
  afterEach(async () => {
    await expectSound(test.api);
    expect(await violations(test.database)).toEqual({});
  });

  const stockOf = async (sku: string) => (await test.api.get(`/v1/skus/${sku}`)).body.onHand;
  const hasBegun = async (id: string) =>
    (await test.database.query(`SELECT 1 FROM orders WHERE id = $1 AND cancelled_by IS NOT NULL`, [id])).length > 0;
  const eventsOf = async (id: string) => {
    const rows = await test.database.query<{ type: string; payload: any }>(
      `SELECT type, payload FROM outbox WHERE subject = $1 ORDER BY position`,
      [id],
    );
    return rows;
  };

  it('are authorised with the order, and captured in full', async () => {
    const sku = await newSku(test.api);
    const { status, body: order } = await authorize(test.api, sku);
    expect(status).toBe(201);
    const authorized = { state: 'AUTHORIZED', amount: 1_000, capturedAmount: 0, refundedAmount: 0 };
    expect(order).toMatchObject({ state: 'CONFIRMED', amountDue: 1_000, payment: authorized });
    expect(Date.parse(order.payment.authorizedUntil) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    expect(await orderOf(test.api, order.id)).toMatchObject({ state: 'CONFIRMED', payment: order.payment });
    const charge = { amount: 1_000, capturedAmount: 0, refundedAmount: 0, state: 'AUTHORIZED' };
    expect(await ledgerOf(test.api, order.id)).toMatchObject([charge]);
    expect(await stockOf(sku)).toBe(99);

    const captured = await capture(test.api, order.id);
    const paid = { state: 'CAPTURED', amount: 1_000, capturedAmount: 1_000, refundedAmount: 0 };
    expect(captured).toMatchObject({ status: 200, body: { id: order.id, state: 'CONFIRMED', payment: paid } });
    expect(captured.body.payment.authorizedUntil).toBeUndefined();
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ ...charge, capturedAmount: 1_000, state: 'CAPTURED' }]);
    expect((await eventsOf(order.id)).map(({ type }) => type)).toEqual([
      'payment.authorized',
      'order.confirmed',
      'payment.captured',
    ]);
    const kinds = (await timelineOf(test.api, order.id)).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['payment.authorized', 'capture.requested', 'payment.captured']));
    const actions = await test.database.query(`SELECT verb, reason, detail FROM operator_actions WHERE order_id = $1`, [
      order.id,
    ]);
    const detail = { amount: 1_000, authorized: 1_000, currency: 'EUR' };
    expect(actions).toEqual([{ verb: 'capture', reason: 'test', detail }]);
  });

  it('are captured once, and whoever asks again under the same key gets the same answer', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    const options = { key: 'admin', idempotencyKey: randomUUID(), headers: { prefer: 'wait=25' } } as const;
    const first = await test.api.post(`/v1/orders/${order.id}/capture`, { amount: 400 }, options);
    const again = await other.api.post(`/v1/orders/${order.id}/capture`, { amount: 400 }, options);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.payment).toEqual(first.body.payment);
    const reused = await test.api.post(`/v1/orders/${order.id}/capture`, { amount: 401 }, options);
    expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const second = await capture(test.api, order.id, 100);
    expect(second.body).toMatchObject({ status: 409, code: 'INVALID_STATE', state: 'CAPTURED', orderId: order.id });
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ state: 'CAPTURED', capturedAmount: 400 }]);
  });

  it('are captured in part: the rest is released, and only that part can be refunded', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    const tooMuch = await capture(test.api, order.id, 1_001);
    expect(tooMuch.body).toMatchObject({ status: 409, code: 'CAPTURE_EXCEEDS_AUTHORIZED', authorized: 1_000 });
    expect((await capture(test.api, order.id, 600)).body.payment).toMatchObject({
      ...{ state: 'CAPTURED', amount: 1_000, capturedAmount: 600, refundedAmount: 0 },
    });
    expect((await refund(test.api, order.id, 601)).body).toMatchObject({
      ...{ status: 409, code: 'REFUND_EXCEEDS_CAPTURED', captured: 600, refundable: 600 },
    });
    expect((await refund(test.api, order.id, 250)).status).toBe(201);
    expect(await ledgerOf(test.api, order.id)).toMatchObject([
      { state: 'CAPTURED', amount: 1_000, capturedAmount: 600, refundedAmount: 250 },
    ]);
    expect((await refund(test.api, order.id)).body).toMatchObject({ state: 'SETTLED', amount: 350 });
    expect((await orderOf(test.api, order.id)).payment).toMatchObject({ state: 'REFUNDED', refundedAmount: 600 });
    expect(await ledgerOf(test.api, order.id)).toMatchObject([
      { state: 'REFUNDED', amount: 1_000, capturedAmount: 600, refundedAmount: 600 },
    ]);
  });

  it.each([
    ['that was charged at once', {}, 'CAPTURED'],
    ['that waits for its customer', { method: 'pm_card_authenticationRequired', capture: 'manual' }, 'REQUIRES_ACTION'],
    ['that was declined', { method: 'pm_card_chargeDeclined', capture: 'manual' }, 'DECLINED'],
  ])('refuse the capture of a payment %s', async (_, payment, state) => {
    const { body } = await authorize(test.api, await newSku(test.api), { capture: 'automatic', ...payment });
    const orderId = body.orderId ?? body.id;
    const refused = await capture(test.api, orderId);
    expect(refused.body).toMatchObject({ status: 409, code: 'INVALID_STATE', state, orderId });
    if (state === 'REQUIRES_ACTION') await cancel(test.api, orderId);
  });

  it('are captured by admins alone, and of orders that exist', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    const headers = { 'x-access-token': order.accessToken };
    expect((await test.api.post(`/v1/orders/${order.id}/capture`, {}, { headers })).status).toBe(403);
    const unknown = await capture(test.api, randomUUID());
    expect([unknown.status, unknown.body.code]).toEqual([404, 'ORDER_NOT_FOUND']);
    for (const amount of [0, -1, 1.5])
      expect((await capture(test.api, order.id, amount)).body.code).toBe('VALIDATION_FAILED');
    expect((await orderOf(test.api, order.id)).payment.state).toBe('AUTHORIZED');
  });

  it('are voided when the order is cancelled, and the goods go back on the shelf', async () => {
    const sku = await newSku(test.api);
    const order = await authorizedOrder(test.api, sku);
    const cancelled = await cancel(test.api, order.id);
    const voided = { state: 'VOIDED', amount: 1_000, capturedAmount: 0, refundedAmount: 0 };
    expect(cancelled).toMatchObject({ status: 200, body: { state: 'CANCELLED', payment: voided } });
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ state: 'VOIDED', capturedAmount: 0 }]);
    expect(await stockOf(sku)).toBe(100);
    const types = (await eventsOf(order.id)).map(({ type }) => type);
    expect(types.slice(2)).toEqual(['payment.voided', 'order.cancelled']);
    expect((await capture(test.api, order.id)).body).toMatchObject({ code: 'INVALID_STATE', state: 'VOIDED' });
  });

  it('are refunded by what was captured when the order is cancelled after that', async () => {
    const sku = await newSku(test.api);
    const order = await authorizedOrder(test.api, sku);
    await capture(test.api, order.id, 700);
    await refund(test.api, order.id, 200);
    const cancelled = await cancel(test.api, order.id);
    const back = { state: 'REFUNDED', amount: 1_000, capturedAmount: 700, refundedAmount: 700 };
    expect(cancelled).toMatchObject({ status: 200, body: { state: 'CANCELLED', payment: back } });
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ capturedAmount: 700, refundedAmount: 700 }]);
    expect(await stockOf(sku)).toBe(100);
  });

  it('pay what credit leaves: that is authorised, captured and voided, and credit is taken with the order', async () => {
    const sku = await newSku(test.api);
    const card = await newGiftCard(test.api, 300);
    const credit = [{ giftCardCode: card.code }];
    const order = await authorizedOrder(test.api, sku, { credit });
    expect(order).toMatchObject({ amountDue: 700, payment: { state: 'AUTHORIZED', amount: 700 } });
    expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 0, held: 0 });
    expect((await capture(test.api, order.id, 701)).body.code).toBe('CAPTURE_EXCEEDS_AUTHORIZED');
    // What credit has paid can go back before the card is captured; the card has nothing to give back.
    expect((await refund(test.api, order.id, 100)).body).toMatchObject({ state: 'SETTLED', credited: 100 });
    expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 100, held: 0 });
    expect((await cancel(test.api, order.id)).body).toMatchObject({ state: 'CANCELLED', payment: { state: 'VOIDED' } });
    expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 300, held: 0 });
    const whole = await authorizedOrder(test.api, await newSku(test.api, 5, { unitAmount: 300 }), { credit });
    expect(whole).toMatchObject({ amountDue: 0, payment: { state: 'CAPTURED', amount: 0, capturedAmount: 0 } });
    expect((await capture(test.api, whole.id)).body).toMatchObject({ code: 'INVALID_STATE', state: 'CAPTURED' });
  });

  it('go to the customer’s account instead, as far as they were captured', async () => {
    const customerId = `c-${randomUUID()}`;
    const account = await newAccount(test.api, 0, customerId);
    const order = await authorizedOrder(test.api, await newSku(test.api), {}, { customer: { id: customerId } });
    const back = { reason: 'test', to: 'credit' };
    const early = await test.api.post(`/v1/orders/${order.id}/refunds`, back, { key: 'admin' });
    expect(early.body.code).toBe('REFUND_EXCEEDS_CAPTURED');
    await capture(test.api, order.id, 450);
    const paid = await test.api.post(`/v1/orders/${order.id}/refunds`, back, { key: 'admin' });
    expect(paid.body).toMatchObject({ state: 'SETTLED', credited: 450 });
    expect(await balanceOf(test.api, account)).toEqual({ balance: 450, held: 0 });
    expect((await cancel(test.api, order.id)).body).toMatchObject({
      payment: { state: 'CAPTURED', creditedAmount: 450 },
    });
  });

  it('buy what is held', async () => {
    const sku = await newSku(test.api);
    const { body: hold } = await test.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku, quantity: 2 }] });
    const headers = { 'x-access-token': hold.accessToken, prefer: 'wait=25' };
    const payment = { method: 'pm_card_visa', capture: 'manual' };
    const body = { currency: 'EUR', reservationId: hold.id, payment };
    const bought = await test.api.post('/v1/checkouts', body, { headers });
    expect(bought).toMatchObject({ status: 201, body: { payment: { state: 'AUTHORIZED', amount: 2_000 } } });
    expect((await capture(test.api, bought.body.id)).body.payment).toMatchObject({ capturedAmount: 2_000 });
  });

  it('are authorised after the customer has authenticated', async () => {
    const waiting = await authorize(test.api, await newSku(test.api), { method: 'pm_card_authenticationRequired' });
    expect(waiting).toMatchObject({ status: 202, body: { payment: { state: 'REQUIRES_ACTION', capturedAmount: 0 } } });
    await fetch(`${waiting.body.nextAction.url}/approve`, { method: 'POST' });
    const order = await orderIn(test.api, waiting.body.id, 'CONFIRMED');
    expect(order.payment).toMatchObject({ state: 'AUTHORIZED', amount: 1_000, capturedAmount: 0 });
    expect((await capture(test.api, order.id)).body.payment.state).toBe('CAPTURED');
  });

  it('take nothing if the customer gives the order up before that', async () => {
    const waiting = await authorize(test.api, await newSku(test.api), { method: 'pm_card_authenticationRequired' });
    const headers = { 'x-access-token': waiting.body.accessToken };
    const cancelled = await test.api.post(`/v1/orders/${waiting.body.id}/cancel`, {}, { headers });
    expect(cancelled.body).toMatchObject({ state: 'REJECTED', rejection: { code: 'CANCELLED' } });
    expect(await ledgerOf(test.api, waiting.body.id)).toEqual([]);
  });

  it('are voided, not refunded, if the order cannot be confirmed', async () => {
    const sku = await newSku(test.api);
    const refused = await authorize(test.api, sku, {}, { metadata: { refuse: true } });
    const order = await orderEnded(test.api, refused.body.orderId);
    expect(order).toMatchObject({ state: 'REJECTED', payment: { state: 'VOIDED', capturedAmount: 0 } });
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ state: 'VOIDED', capturedAmount: 0 }]);
    const rows = await test.database.query(`SELECT 1 FROM refunds WHERE order_id = $1`, [order.id]);
    expect(rows).toEqual([]);
    expect(await stockOf(sku)).toBe(100);
  });

  it.each(['pm_sandbox_timeout_after_charge', 'pm_sandbox_error', 'pm_sandbox_slow', 'pm_sandbox_processing'])(
    'are authorised once by %s',
    async (method) => {
      const quick = await startTestApp({ GATEWAY_TIMEOUT_MS: '3000', SAGA_BACKOFF_FACTOR: '0.05' }, test.database);
      try {
        const { body } = await authorize(quick.api, await newSku(test.api), { method });
        const order = await orderIn(quick.api, body.id, 'CONFIRMED');
        expect(order.payment).toMatchObject({ state: 'AUTHORIZED', capturedAmount: 0 });
        expect(await ledgerOf(test.api, order.id)).toMatchObject([{ state: 'AUTHORIZED', amount: 1_000 }]);
      } finally {
        await quick.close();
      }
    },
  );

  it.each([
    ['capture', 'error'],
    ['capture', 'error-after'],
    ['capture', 'timeout-after'],
    ['void', 'error'],
    ['void', 'error-after'],
    ['void', 'timeout'],
  ] as const)('are ended once where a %s meets %s', async (operation, effect) => {
    const quick = await startTestApp({ GATEWAY_TIMEOUT_MS: '2000', SAGA_BACKOFF_FACTOR: '0.05' }, test.database);
    try {
      const order = await authorizedOrder(quick.api, await newSku(test.api));
      await quick.api.put('/v1/sandbox/faults', { next: [{ operation, effect }] });
      const answer =
        operation === 'capture' ? await capture(quick.api, order.id, 800) : await cancel(quick.api, order.id);
      expect(answer.status).toBe(200);
      const [charge] = await ledgerOf(test.api, order.id);
      expect(charge).toMatchObject(
        operation === 'capture' ? { state: 'CAPTURED', capturedAmount: 800 } : { state: 'VOIDED', capturedAmount: 0 },
      );
    } finally {
      await quick.api.put('/v1/sandbox/faults', {});
      await quick.close();
    }
  });

  it('keep the capture in doubt visible, and cancel nothing meanwhile', async () => {
    const order = await authorizedOrder(test.api, await newSku(test.api));
    await test.api.put('/v1/sandbox/faults', { captureErrorRate: 1 });
    const options = { key: 'admin', headers: { prefer: 'respond-async' } } as const;
    const asked = await test.api.post(`/v1/orders/${order.id}/capture`, { amount: 500 }, options);
    expect(asked).toMatchObject({ status: 202, body: { payment: { state: 'AUTHORIZED' } } });
    const sagaOf = async () =>
      (
        await test.database.query<any>(`SELECT state FROM sagas WHERE subject = $1 AND name = 'capture-order'`, [
          order.id,
        ])
      )[0];
    await eventually('stuck', async () => (await sagaOf())?.state === 'STUCK');
    const refused = await cancel(test.api, order.id);
    expect(refused.body).toMatchObject({ status: 409, code: 'INVALID_STATE', state: 'AUTHORIZED' });
    expect((await capture(test.api, order.id)).body).toMatchObject({ code: 'INVALID_STATE', state: 'AUTHORIZED' });
    await test.api.put('/v1/sandbox/faults', {});
    const [saga] = (await test.api.get(`/v1/sagas?state=STUCK`, { key: 'admin' })).body.items;
    await test.api.post(`/v1/sagas/${saga.id}/retry`, { reason: 'the provider is back' }, { key: 'admin' });
    await eventually('captured', async () => (await orderOf(test.api, order.id)).payment.capturedAmount === 500);
  });

  it('are captured once or voided, never both: 20 captures and a cancellation at once, over two instances', async () => {
    const ends = new Set<string>();
    for (let round = 0; round < 6; round += 1) {
      const sku = await newSku(test.api);
      const order = await authorizedOrder(test.api, sku);
      const turn = () => cancel((round % 2 ? test : other).api, order.id);
      // A crowd that comes when the cancellation has begun finds nothing to capture.
      const first = round < 2 ? turn() : undefined;
      if (first) await eventually('the cancellation', () => hasBegun(order.id));
      const asked = Array.from({ length: 20 }, (_, n) => capture((n % 2 ? test : other).api, order.id, 100 + n));
      const [cancelled, ...captures] = await Promise.all([first ?? turn(), ...asked]);
      const granted = captures.filter(({ status }) => status === 200);
      const refused = [cancelled, ...captures].filter(({ status }) => status !== 200);
      for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'INVALID_STATE']);
      const [charge] = await ledgerOf(test.api, order.id);
      const now = await orderOf(test.api, order.id);
      expect(granted.length).toBe(charge!.state === 'VOIDED' ? 0 : 1);
      expect(now.payment.capturedAmount).toBe(charge!.capturedAmount);
      if (granted[0]) {
        const taken = captures.findIndex(({ status }) => status === 200) + 100;
        expect(charge!.capturedAmount).toBe(taken);
        expect(charge!.refundedAmount).toBe(cancelled.status === 200 ? taken : 0);
      } else expect(cancelled.status).toBe(200);
      expect(now.state).toBe(cancelled.status === 200 ? 'CANCELLED' : 'CONFIRMED');
      expect(await stockOf(sku)).toBe(cancelled.status === 200 ? 100 : 99);
      ends.add(`${now.state} ${now.payment.state}`);
      await expectSound(test.api);
    }
    process.stdout.write(`captures against a cancellation: ${[...ends].join(', ')}\n`);
  });

  it('leave payments that are charged at once as they were', async () => {
    const { body } = await checkOut(test.api, await newSku(test.api));
    expect(body.payment).toMatchObject({ state: 'CAPTURED', amount: 1_000, capturedAmount: 1_000, refundedAmount: 0 });
    const [row] = await test.database.query<any>(
      `SELECT captured_amount, authorized_until, ended_by FROM payments WHERE order_id = $1`,
      [body.id],
    );
    expect(row).toEqual({ captured_amount: null, authorized_until: null, ended_by: null });
  });
});
