import { randomUUID } from 'node:crypto';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { basket, checkOut, ledgerOf, newSku, orderEnded, orderIn, orderOf, timelineOf } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

const DECLINED = 'pm_card_chargeDeclinedInsufficientFunds';
const ASKS = 'pm_card_authenticationRequired';

describe('pay again', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ SANDBOX_AUTHENTICATION_MS: '0', RESERVATION_SWEEP_SECONDS: '1' });
  });
  afterAll(async () => {
    expect(await violations(test.database)).toEqual({});
    await test.close();
  });

  interface Held {
    readonly id: string;
    readonly accessToken: string;
    readonly expiresAt: string;
  }
  const hold = async (sku: string, quantity = 1): Promise<Held> =>
    (await test.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku, quantity }] })).body;
  const buy = ({ id, accessToken }: Pick<Held, 'id' | 'accessToken'>, method: string) =>
    test.api.post(
      '/v1/checkouts',
      { currency: 'EUR', reservationId: id, payment: { method } },
      { headers: { 'x-access-token': accessToken, prefer: 'wait=25' } },
    );
  const stateOf = async ({ id }: Pick<Held, 'id'>) =>
    (await test.api.get(`/v1/reservations/${id}`, { key: 'admin' })).body;
  const stockOf = async (sku: string) => {
    const { onHand, reserved } = (await test.api.get(`/v1/skus/${sku}`)).body;
    return [onHand, reserved];
  };
  const press = (url: string, verb: 'approve' | 'decline') =>
    test.api.post(`${new URL(url).pathname}/${verb}`, undefined, { key: 'none' });

  it('a decline keeps the hold until its own end, and another card buys it', async () => {
    const sku = await newSku(test.api, 1);
    const held = await hold(sku);
    const declined = await buy(held, DECLINED);
    const reservation = { id: held.id, state: 'HELD', expiresAt: held.expiresAt };
    expect(declined).toMatchObject({
      status: 402,
      body: { code: 'PAYMENT_DECLINED', declineCode: 'insufficient_funds' },
    });
    expect(declined.body.reservation).toEqual(reservation);
    expect((await orderOf(test.api, declined.body.orderId)).rejection).toEqual({
      code: 'PAYMENT_DECLINED',
      detail: 'The payment was declined',
      declineCode: 'insufficient_funds',
      reservation,
    });
    expect(await stateOf(held)).toMatchObject({ state: 'HELD', expiresAt: held.expiresAt });
    expect((await checkOut(test.api, sku)).body.code).toBe('OUT_OF_STOCK');
    expect((await buy(held, 'pm_card_chargeDeclined')).status).toBe(402);
    const bought = await buy(held, 'pm_card_visa');
    expect(bought).toMatchObject({ status: 201, body: { reservation: { id: held.id, state: 'COMMITTED' } } });
    expect(await stockOf(sku)).toEqual([0, 0]);
    expect((await timelineOf(test.api, declined.body.orderId)).map(({ kind }) => kind)).toContain('reservation.kept');
  });

  it('a hold that was kept can be extended, changed and released like any other', async () => {
    const sku = await newSku(test.api, 3);
    const held = await hold(sku, 2);
    await buy(held, DECLINED);
    const proof = { key: 'storefront', headers: { 'x-access-token': held.accessToken } } as const;
    const changed = await test.api.put(`/v1/reservations/${held.id}/lines`, { lines: [{ sku, quantity: 3 }] }, proof);
    expect(changed).toMatchObject({ status: 200, body: { total: 3_000, expiresAt: held.expiresAt } });
    expect((await test.api.post(`/v1/reservations/${held.id}/extend`, { seconds: 60 }, proof)).status).toBe(200);
    expect((await test.api.delete(`/v1/reservations/${held.id}`, proof)).body.state).toBe('RELEASED');
    expect(await stockOf(sku)).toEqual([3, 0]);
  });

  it('a direct checkout gives its stock back at once, or leaves a hold with its token if asked to', async () => {
    const sku = await newSku(test.api, 1);
    const plain = await checkOut(test.api, sku, DECLINED);
    expect(plain.status).toBe(402);
    expect(plain.body.reservation).toBeUndefined();
    expect(await stockOf(sku)).toEqual([1, 0]);
    const body = basket(sku, { payment: { method: DECLINED }, holdOnDecline: true });
    const idempotencyKey = randomUUID();
    const first = await test.api.post('/v1/checkouts', body, { idempotencyKey });
    expect(first).toMatchObject({ status: 402, body: { reservation: { state: 'HELD' } } });
    expect(await stockOf(sku)).toEqual([1, 1]);
    const again = await test.api.post('/v1/checkouts', body, { idempotencyKey });
    expect(again.body.reservation).toEqual(first.body.reservation);
    const { rejection } = await orderOf(test.api, first.body.orderId);
    expect(rejection.reservation).toEqual(first.body.reservation);
    expect(rejection.isHoldNew).toBeUndefined();
    expect(await buy(first.body.reservation, 'pm_card_visa')).toMatchObject({ status: 201, body: { total: 1_000 } });
  });

  it('a failed authentication keeps the hold, which lasted as long as the authentication might', async () => {
    const sku = await newSku(test.api, 1);
    const held = await hold(sku);
    const waiting = await buy(held, ASKS);
    expect(waiting.status).toBe(202);
    const inAnHour = Date.now() + 3_500_000;
    expect(Date.parse(waiting.body.reservation.expiresAt)).toBeGreaterThan(inAnHour);
    expect(Date.parse((await orderOf(test.api, waiting.body.id)).reservation.expiresAt)).toBeGreaterThan(inAnHour);
    expect(await buy(held, 'pm_card_visa')).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE', state: 'HELD' },
    });
    await press(waiting.body.nextAction.url, 'decline');
    const order = await orderIn(test.api, waiting.body.id, 'REJECTED');
    expect(order.rejection).toMatchObject({
      ...{ code: 'PAYMENT_DECLINED', declineCode: 'authentication_failed' },
      reservation: { id: held.id, state: 'HELD', expiresAt: held.expiresAt },
    });
    expect(await stateOf(held)).toMatchObject({ state: 'HELD', expiresAt: held.expiresAt });
    expect((await buy(held, 'pm_card_visa')).status).toBe(201);
  });

  it('a hold whose own end has passed meanwhile is over when the authentication fails', async () => {
    const sku = await newSku(test.api, 1);
    const held = await hold(sku);
    await test.database.query(`UPDATE reservations SET expires_at = now() + interval '1 second' WHERE id = $1`, [
      held.id,
    ]);
    const waiting = await buy(held, ASKS);
    expect(waiting.status).toBe(202);
    await eventually('its own end', async () => {
      const [row] = await test.database.query<{ isPast: boolean }>(
        `SELECT created_at + interval '2 seconds' < now() AS "isPast" FROM reservations WHERE id = $1`,
        [held.id],
      );
      return row?.isPast === true;
    });
    expect(await stateOf(held)).toMatchObject({ state: 'HELD' });
    expect(await stockOf(sku)).toEqual([1, 1]);
    await press(waiting.body.nextAction.url, 'decline');
    const { rejection } = await orderIn(test.api, waiting.body.id, 'REJECTED');
    expect(rejection.reservation).toMatchObject({ id: held.id, state: 'EXPIRED' });
    expect(await buy(held, 'pm_card_visa')).toMatchObject({ status: 410, body: { code: 'RESERVATION_EXPIRED' } });
    await eventually('it is swept', async () => (await stockOf(sku))[1] === 0);
  });

  it('of many cards at once for one hold, one buys it and is charged', async () => {
    const sku = await newSku(test.api, 1);
    const held = await hold(sku);
    const cards = [DECLINED, 'pm_card_visa', DECLINED, 'pm_card_visa', 'pm_card_visa', DECLINED];
    const answers = await Promise.all(cards.map((card) => buy(held, card)));
    for (const { status, body } of answers) if (status === 409) expect(body.code).toBe('INVALID_STATE');
    if (!answers.some(({ status }) => status === 201)) expect((await buy(held, 'pm_card_visa')).status).toBe(201);
    const orders = await test.database.query<{ id: string; state: string }>(
      `SELECT id, state FROM orders WHERE reservation_id = $1`,
      [held.id],
    );
    expect(orders.filter(({ state }) => state === 'CONFIRMED')).toHaveLength(1);
    const charges = await Promise.all(orders.map(({ id }) => ledgerOf(test.api, id)));
    expect(charges.flat()).toHaveLength(1);
    await Promise.all(orders.map(({ id }) => orderEnded(test.api, id)));
    expect(await stockOf(sku)).toEqual([0, 0]);
  });
});
