import { ReservationExpiryJob } from '../../../src/inventory/reservation/reservation-expiry.job.js';
import { buy, newCoupon, usesOf } from '../../setup/balances.js';
import { eventually } from '../../setup/eventually.js';
import { violations } from '../../setup/invariants.js';
import { expectSound, ledgerOf, newSku, orderEnded, orderOf } from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { withToken } from '../inventory/inventory-fixture.js';

const admin = { key: 'admin' } as const;

describe('coupons', () => {
  let test: TestApp;
  let sku: string;
  beforeAll(async () => {
    test = await startTestApp({ RESERVATION_SWEEP_SECONDS: '3600', PAYMENT_ACTION_TIMEOUT_SECONDS: '600' });
    sku = await newSku(test.api, 10_000, { group: 'mugs' });
  });
  afterEach(async () => {
    await expectSound(test.api);
    expect(await violations(test.database)).toEqual({});
  });
  afterAll(() => test.close());

  const quote = (overrides: object) =>
    test.api.post('/v1/checkouts/quote', { currency: 'EUR', lines: [{ sku, quantity: 1 }], ...overrides });
  const reserve = (overrides: object) =>
    test.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku, quantity: 1 }], ...overrides });
  const totals = (code: string, off: number, items = 1_000) => ({
    total: items - off,
    totals: [
      { type: 'items', label: 'Items', amount: items },
      { type: 'discount', label: code, amount: -off },
    ],
    amountDue: items - off,
  });

  it('take a discount off in quote, reservation and order, and off what the card pays', async () => {
    const code = await newCoupon(test.api, { percentOff: 12.5, maxRedemptions: 2 });
    expect((await quote({ coupons: [code] })).body).toMatchObject(totals(code, 125));
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 0, held: 0 });

    const held = await reserve({ coupons: [code] });
    expect(held.body).toMatchObject(totals(code, 125));
    expect((await test.api.get(`/v1/reservations/${held.body.id}`, withToken(held))).body).toMatchObject(
      totals(code, 125),
    );
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 0, held: 1 });

    const order = await buy(test.api, sku, { coupons: [code], expectedTotal: 875 });
    expect(order.status).toBe(201);
    expect(order.body).toMatchObject({ ...totals(code, 125), payment: { amount: 875, state: 'CAPTURED' } });
    expect(await orderOf(test.api, order.body.id)).toMatchObject(totals(code, 125));
    expect(await ledgerOf(test.api, order.body.id)).toMatchObject([{ amount: 875 }]);
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 1, held: 1 });
    await test.api.delete(`/v1/reservations/${held.body.id}`, withToken(held));
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 1, held: 0 });
  });

  it('are not found, or do not apply and say why, and then leave no order', async () => {
    const missing = await buy(test.api, sku, { coupons: ['NO-SUCH'] });
    expect([missing.status, missing.body.code, missing.body.coupon]).toEqual([404, 'COUPON_NOT_FOUND', 'NO-SUCH']);
    const dear = await newCoupon(test.api, { minimumAmount: 1_001 });
    for (const answer of [
      await buy(test.api, sku, { coupons: [dear] }),
      await quote({ coupons: [dear] }),
      await reserve({ coupons: [dear] }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'COUPON_NOT_APPLICABLE']);
      expect(answer.body).toMatchObject({ coupon: dear, reason: 'MINIMUM_AMOUNT' });
      expect(answer.body.orderId).toBeUndefined();
    }
    const dollars = await newCoupon(test.api, { amountOff: 100, currency: 'USD' });
    expect((await buy(test.api, sku, { coupons: [dollars] })).body.reason).toBe('CURRENCY');
    const later = await newCoupon(test.api, { startsAt: '2099-01-01T00:00:00Z' });
    expect((await buy(test.api, sku, { coupons: [later] })).body.reason).toBe('NOT_STARTED');
    const plates = await newCoupon(test.api, { group: 'plates', skus: ['plate'] });
    expect((await buy(test.api, sku, { coupons: [plates] })).body.reason).toBe('OTHER_GOODS');
    const mugs = await newCoupon(test.api, { group: 'mugs' });
    expect((await buy(test.api, sku, { coupons: [mugs] })).body.total).toBe(900);
  });

  it('that are used up leave a REJECTED order that says so, and give nothing away', async () => {
    const code = await newCoupon(test.api, { maxRedemptions: 1 });
    expect((await buy(test.api, sku, { coupons: [code] })).status).toBe(201);
    const refused = await buy(test.api, sku, { coupons: [code] });
    expect([refused.status, refused.body.code, refused.body.coupon]).toEqual([409, 'COUPON_EXHAUSTED', code]);
    expect(await orderOf(test.api, refused.body.orderId)).toMatchObject({
      state: 'REJECTED',
      rejection: { code: 'COUPON_EXHAUSTED', coupon: code },
    });
    expect((await reserve({ coupons: [code] })).body.code).toBe('COUPON_EXHAUSTED');
    expect((await quote({ coupons: [code] })).body.code).toBe('COUPON_EXHAUSTED');
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 1, held: 0 });
  });

  it('are given back by a decline, an expired hold and a cancellation', async () => {
    const code = await newCoupon(test.api, { maxRedemptions: 1 });
    const declined = await buy(test.api, sku, { coupons: [code], payment: { method: 'pm_card_chargeDeclined' } });
    expect(declined.status).toBe(402);
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 0, held: 0 });

    const held = await reserve({ coupons: [code] });
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 0, held: 1 });
    await test.database.query(`UPDATE reservations SET expires_at = now() WHERE id = $1`, [held.body.id]);
    await test.app.get(ReservationExpiryJob).run();
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 0, held: 0 });

    const order = await buy(test.api, sku, { coupons: [code] });
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 1, held: 0 });
    expect((await test.api.post(`/v1/orders/${order.body.id}/cancel`, {}, admin)).body.state).toBe('CANCELLED');
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 0, held: 0 });
    expect((await buy(test.api, sku, { coupons: [code] })).status).toBe(201);
  });

  it('may be limited per customer, by id or by mailbox', async () => {
    const code = await newCoupon(test.api, { maxPerCustomer: 1 });
    const anonymous = await buy(test.api, sku, { coupons: [code] });
    expect([anonymous.status, anonymous.body.reason]).toEqual([409, 'CUSTOMER_UNKNOWN']);
    const ada = { coupons: [code], customer: { email: 'Ada.Lovelace+shop@gmail.com' } };
    expect((await buy(test.api, sku, ada)).status).toBe(201);
    const again = await buy(test.api, sku, { coupons: [code], customer: { email: 'adalovelace@googlemail.com' } });
    expect([again.status, again.body.code]).toEqual([409, 'COUPON_EXHAUSTED']);
    expect(
      (await buy(test.api, sku, { coupons: [code], customer: { id: 'ada', email: ada.customer.email } })).status,
    ).toBe(201);
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 2, held: 0 });
  });

  it('of a hold are paid with it, and can be exchanged when it is bought', async () => {
    const [first, second] = [await newCoupon(test.api), await newCoupon(test.api, { amountOff: 300, currency: 'EUR' })];
    const bought = await reserve({ coupons: [first] });
    const order = await buy(test.api, sku, { lines: undefined, reservationId: bought.body.id }, withToken(bought));
    expect(order.body).toMatchObject(totals(first, 100));
    expect(await usesOf(test.api, first)).toEqual({ redeemed: 1, held: 0 });

    const held = await reserve({ coupons: [first] });
    const reservation = { lines: undefined, reservationId: held.body.id };
    const declined = { ...reservation, coupons: [second], payment: { method: 'pm_card_chargeDeclined' } };
    expect((await buy(test.api, sku, declined, withToken(held))).body.reservation.state).toBe('HELD');
    expect([await usesOf(test.api, first), await usesOf(test.api, second)]).toEqual([
      { redeemed: 1, held: 0 },
      { redeemed: 0, held: 1 },
    ]);
    const paid = await buy(test.api, sku, reservation, withToken(held));
    expect(paid.body).toMatchObject(totals(second, 300));
    expect(await usesOf(test.api, second)).toEqual({ redeemed: 1, held: 0 });

    const plain = await reserve({ coupons: [first] });
    const without = await buy(
      test.api,
      sku,
      { lines: undefined, reservationId: plain.body.id, coupons: [] },
      withToken(plain),
    );
    expect(without.body).toMatchObject({ total: 1_000, totals: [{ type: 'items' }] });
    expect(await usesOf(test.api, first)).toEqual({ redeemed: 1, held: 0 });
  });

  it('of a hold cannot be exchanged for one that is used up: the hold stays as it was', async () => {
    const [good, empty] = [await newCoupon(test.api), await newCoupon(test.api, { maxRedemptions: 1 })];
    await buy(test.api, sku, { coupons: [empty] });
    const held = await reserve({ coupons: [good] });
    const refused = await buy(
      test.api,
      sku,
      { lines: undefined, reservationId: held.body.id, coupons: [empty] },
      withToken(held),
    );
    expect(refused.body).toMatchObject({ code: 'COUPON_EXHAUSTED', coupon: empty });
    expect((await test.api.get(`/v1/reservations/${held.body.id}`, withToken(held))).body).toMatchObject(
      totals(good, 100),
    );
    expect(await usesOf(test.api, good)).toEqual({ redeemed: 0, held: 1 });
    await test.api.delete(`/v1/reservations/${held.body.id}`, withToken(held));
  });

  it('follow the lines of a hold that is changed, also when they have ended since', async () => {
    const code = await newCoupon(test.api, { minimumAmount: 2_000 });
    const held = await reserve({ lines: [{ sku, quantity: 3 }], coupons: [code] });
    const change = (quantity: number) =>
      test.api.put(
        `/v1/reservations/${held.body.id}/lines`,
        { lines: [{ sku, quantity }] },
        { key: 'storefront', ...withToken(held) },
      );
    await test.api.put(`/v1/coupons/${code}`, {
      percentOff: 10,
      minimumAmount: 2_000,
      endsAt: new Date().toISOString(),
    });
    expect((await change(2)).body).toMatchObject(totals(code, 200, 2_000));
    const refused = await change(1);
    expect([refused.status, refused.body.reason]).toEqual([409, 'MINIMUM_AMOUNT']);
    expect((await test.api.get(`/v1/reservations/${held.body.id}`, withToken(held))).body).toMatchObject(
      totals(code, 200, 2_000),
    );
    await test.api.delete(`/v1/reservations/${held.body.id}`, withToken(held));
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 0, held: 0 });
  });

  it('apply to the alternative that is held, and make none of those to which they do not apply', async () => {
    const other = await newSku(test.api, 1);
    const code = await newCoupon(test.api, { skus: [sku] });
    const alternatives = [[{ sku: other, quantity: 1 }], [{ sku, quantity: 2 }]];
    const held = await test.api.post('/v1/reservations', { currency: 'EUR', alternatives, coupons: [code] });
    expect(held.body).toMatchObject({ ...totals(code, 200, 2_000), lines: [{ sku, quantity: 2 }] });
    await test.api.delete(`/v1/reservations/${held.body.id}`, withToken(held));
  });

  it('pay for everything where they take everything off, without a card', async () => {
    const code = await newCoupon(test.api, { percentOff: 100 });
    const order = await buy(test.api, sku, { coupons: [code], payment: {} });
    expect(order.status).toBe(201);
    expect(order.body).toMatchObject({
      total: 0,
      amountDue: 0,
      payment: { amount: 0, state: 'CAPTURED', method: null },
    });
    expect(await ledgerOf(test.api, order.body.id)).toEqual([]);
    const unpaid = await buy(test.api, sku, { payment: {} });
    expect([unpaid.status, unpaid.body.errors[0].path]).toEqual([400, 'payment.method']);
  });

  it('cannot be limited to less than was redeemed', async () => {
    const code = await newCoupon(test.api, { maxRedemptions: 5 });
    await buy(test.api, sku, { coupons: [code] });
    await buy(test.api, sku, { coupons: [code] });
    const refused = await test.api.put(`/v1/coupons/${code}`, { percentOff: 50, maxRedemptions: 1 });
    expect([refused.status, refused.body.code, refused.body.redeemed]).toEqual([409, 'INVALID_STATE', 2]);
    const changed = await test.api.put(`/v1/coupons/${code}`, { percentOff: 50, maxRedemptions: 2 });
    expect(changed.body).toMatchObject({ code, percentOff: 50, maxRedemptions: 2, redeemed: 2, held: 0 });
    expect((await test.api.get('/v1/coupons/NO-SUCH', admin)).body.code).toBe('COUPON_NOT_FOUND');
  });

  it('are claimed anew where a hold has run out before its payment came, and the payment goes back where they are gone', async () => {
    const code = await newCoupon(test.api, { maxRedemptions: 1 });
    const late = async () => {
      const body = { coupons: [code], payment: { method: 'pm_card_authenticationRequired' } };
      const order = await buy(test.api, sku, body, { headers: { prefer: 'respond-async' } });
      const { reservation } = await eventually('it waits', () => orderOf(test.api, order.body.id), {
        until: ({ nextAction }) => nextAction !== undefined,
      });
      await test.database.query(`UPDATE reservations SET expires_at = now() WHERE id = $1`, [reservation.id]);
      await test.app.get(ReservationExpiryJob).run();
      return order.body.id as string;
    };
    const honoured = await late();
    expect((await orderEnded(test.api, honoured)).state).toBe('CONFIRMED');
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 1, held: 0 });
    await test.api.post(`/v1/orders/${honoured}/cancel`, {}, admin);
    const tooLate = await late();
    await buy(test.api, sku, { coupons: [code] });
    expect(await orderEnded(test.api, tooLate)).toMatchObject({
      state: 'REJECTED',
      rejection: { code: 'COUPON_EXHAUSTED' },
    });
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 1, held: 0 });
  });

  it('are ended by the database where an instance of the release before ends a hold', async () => {
    const code = await newCoupon(test.api);
    const holds = [await reserve({ coupons: [code] }), await reserve({ coupons: [code] })];
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 0, held: 2 });
    // As that release writes it: it knows neither claims nor their mark.
    await test.database.query(`UPDATE skus SET reserved = reserved - 1 WHERE sku = $1`, [sku]);
    await test.database.query(`UPDATE reservations SET state = 'EXPIRED', updated_at = now() WHERE id = $1`, [
      holds[0]!.body.id,
    ]);
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 0, held: 1 });
    await test.api.delete(`/v1/reservations/${holds[1]!.body.id}`, withToken(holds[1]!));
    expect(await usesOf(test.api, code)).toEqual({ redeemed: 0, held: 0 });
  });

  it('of several kinds are added up: percentages first, then amounts', async () => {
    const [ten, five] = [await newCoupon(test.api), await newCoupon(test.api, { amountOff: 950, currency: 'EUR' })];
    const order = await buy(test.api, sku, { coupons: [five, ten, ten] });
    expect(order.body.totals).toEqual([
      { type: 'items', label: 'Items', amount: 1_000 },
      { type: 'discount', label: five, amount: -900 },
      { type: 'discount', label: ten, amount: -100 },
    ]);
    expect(order.body).toMatchObject({ total: 0, amountDue: 0 });
  });
});
