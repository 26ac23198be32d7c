import { startTestApp, TestApp } from '../../setup/test-app.js';
import { eventually } from '../../setup/eventually.js';
import { checkOut, expectSound, ledgerOf, newSku, orderEnded, orderIn, orderOf, timelineOf } from '../../setup/shop.js';

describe('a payment that comes late', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({
      GATEWAY_TIMEOUT_MS: '1000',
      SANDBOX_AUTHENTICATION_MS: '0',
      SAGA_LEASE_MS: '2000',
      RESERVATION_SWEEP_SECONDS: '1',
      RECONCILE_SECONDS: '3600',
    });
  });
  afterAll(() => test.close());
  afterEach(() => expectSound(test.api));

  const waiting = async (sku: string) => {
    const { status, body } = await checkOut(test.api, sku, 'pm_card_authenticationRequired');
    expect(status).toBe(202);
    return { id: body.id as string, path: new URL(body.nextAction.url).pathname };
  };
  /** As if the authentication had taken longer than any hold lasts, as it may where the provider takes its time. */
  const expired = async (id: string) => {
    await test.database.query(`UPDATE reservations SET expires_at = now() WHERE order_id = $1`, [id]);
    await eventually('the hold is swept', async () => {
      const [row] = await test.database.query<any>(`SELECT state FROM reservations WHERE order_id = $1`, [id]);
      return row.state === 'EXPIRED';
    });
  };
  const stockOf = async (sku: string) => {
    const { onHand, reserved } = (await test.api.get(`/v1/skus/${encodeURIComponent(sku)}`)).body;
    return { onHand, reserved };
  };
  /** As if the customer had taken too long: the saga is due at its deadline, which is now. */
  const passDeadline = (id: string) =>
    test.database.query(
      `UPDATE sagas SET due_at = now(), changes = jsonb_set(changes::jsonb, '{actionDeadline}', '0') WHERE subject = $1 AND state = 'WAITING'`,
      [id],
    );

  it('is honoured with stock that is still there', async () => {
    const sku = await newSku(test.api, 3);
    const { id, path } = await waiting(sku);
    await expired(id);
    expect(await stockOf(sku)).toEqual({ onHand: 3, reserved: 0 });
    const held = await orderOf(test.api, id);
    expect(held).toMatchObject({ state: 'PENDING', reservation: { state: 'EXPIRED' } });
    await test.api.post(`${path}/approve`, undefined, { key: 'none' });
    const order = await orderIn(test.api, id, 'CONFIRMED');
    expect(order).toMatchObject({ payment: { state: 'CAPTURED' }, reservation: { state: 'COMMITTED' } });
    expect(order.reservation.id).not.toBe(held.reservation.id);
    expect(await stockOf(sku)).toEqual({ onHand: 2, reserved: 0 });
    expect(await ledgerOf(test.api, id)).toMatchObject([{ state: 'CAPTURED', refundedAmount: 0 }]);
    expect((await timelineOf(test.api, id)).map(({ kind }) => kind)).toContain('reservation.reacquired');
    // And it is cancelled like any other.
    const cancelled = await test.api.post(`/v1/orders/${id}/cancel`, {}, { key: 'admin' });
    expect(cancelled.body.state).toBe('CANCELLED');
    expect(await stockOf(sku)).toEqual({ onHand: 3, reserved: 0 });
  });

  it('is paid back when somebody else has bought the stock', async () => {
    const sku = await newSku(test.api, 1);
    const { id, path } = await waiting(sku);
    await expired(id);
    expect((await checkOut(test.api, sku)).status).toBe(201);
    await test.api.post(`${path}/approve`, undefined, { key: 'none' });
    const order = await orderIn(test.api, id, 'REJECTED');
    expect(order).toMatchObject({
      rejection: { code: 'OUT_OF_STOCK', shortages: [{ sku, requested: 1, available: 0 }] },
      payment: { state: 'REFUNDED', refundedAmount: 1_000 },
    });
    expect(await ledgerOf(test.api, id)).toMatchObject([{ state: 'REFUNDED', refundedAmount: 1_000 }]);
    expect(await stockOf(sku)).toEqual({ onHand: 0, reserved: 0 });
  });

  it('of ten buyers for four units: four are confirmed, six are paid back', async () => {
    const sku = await newSku(test.api, 10);
    const buyers = await Promise.all(Array.from({ length: 10 }, () => waiting(sku)));
    for (const { id } of buyers) await expired(id);
    await test.api.post(
      `/v1/skus/${encodeURIComponent(sku)}/adjustments`,
      { delta: -6, reason: 'x' },
      { key: 'admin' },
    );
    await Promise.all(buyers.map(({ path }) => test.api.post(`${path}/approve`, undefined, { key: 'none' })));
    const orders = await Promise.all(buyers.map(({ id }) => orderEnded(test.api, id)));
    expect(orders.filter(({ state }) => state === 'CONFIRMED')).toHaveLength(4);
    expect(orders.filter(({ payment }) => payment.state === 'REFUNDED')).toHaveLength(6);
    expect(await stockOf(sku)).toEqual({ onHand: 0, reserved: 0 });
  });

  it('that never comes is given up at the provider first, and no money moves', async () => {
    const sku = await newSku(test.api, 1);
    const { id, path } = await waiting(sku);
    await passDeadline(id);
    const order = await orderIn(test.api, id, 'REJECTED');
    expect(order).toMatchObject({ rejection: { code: 'PAYMENT_DECLINED' }, payment: { state: 'DECLINED' } });
    // The customer comes back after all: the provider refuses, since we closed the charge before we gave up.
    await test.api.post(`${path}/approve`, undefined, { key: 'none' });
    const [charge] = await test.database.query<any>(`SELECT state FROM sandbox.charges WHERE order_id = $1`, [id]);
    expect(charge.state).toBe('CANCELLED');
    expect(await ledgerOf(test.api, id)).toEqual([]);
    expect(await stockOf(sku)).toEqual({ onHand: 1, reserved: 0 });
  });

  it('whose callback is lost is found at the deadline', async () => {
    const { id, path } = await waiting(await newSku(test.api, 1));
    const chargeId = path.split('/').at(-1);
    await test.database.query(`UPDATE sandbox.charges SET state = 'CAPTURED' WHERE id = $1`, [chargeId]);
    await passDeadline(id);
    await orderIn(test.api, id, 'CONFIRMED');
    expect(await ledgerOf(test.api, id)).toMatchObject([{ state: 'CAPTURED' }]);
  });
});

describe('the time a customer has to authenticate', () => {
  it('is PAYMENT_ACTION_TIMEOUT_SECONDS', async () => {
    const test = await startTestApp({ SANDBOX_AUTHENTICATION_MS: '0', PAYMENT_ACTION_TIMEOUT_SECONDS: '1' });
    try {
      const { body } = await checkOut(test.api, await newSku(test.api), 'pm_card_authenticationRequired');
      expect(await orderIn(test.api, body.id, 'REJECTED')).toMatchObject({ payment: { state: 'DECLINED' } });
      expect(await ledgerOf(test.api, body.id)).toEqual([]);
    } finally {
      await test.close();
    }
  });
});
