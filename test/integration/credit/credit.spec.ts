import { SignJWT } from 'jose';
import { balanceOf, buy, enter, newAccount, newCoupon, newGiftCard } from '../../setup/balances.js';
import { violations } from '../../setup/invariants.js';
import { expectSound, ledgerOf, newSku, orderOf, timelineOf } from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';

const admin = { key: 'admin' } as const;
const SECRET = 'jwt-secret-for-tests-of-credit';

const bearer = async (customerId: string) => ({
  authorization: `Bearer ${await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(customerId)
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(SECRET))}`,
});

describe('credit', () => {
  let test: TestApp;
  let sku: string;
  beforeAll(async () => {
    test = await startTestApp({ JWT_SECRET: SECRET });
    sku = await newSku(test.api, 10_000);
  });
  afterEach(async () => {
    await expectSound(test.api);
    expect(await violations(test.database)).toEqual({});
  });
  afterAll(() => test.close());

  const withCard = (code: string, method?: string) => ({ payment: { method, credit: [{ giftCardCode: code }] } });

  describe('in an account', () => {
    it('is entered and taken away, never below what is there', async () => {
      const id = await newAccount(test.api, 500);
      expect((await test.api.put(`/v1/accounts/${id}`, { currency: 'EUR', customerId: 'ada' })).status).toBe(200);
      expect((await enter(test.api, id, -200)).body).toMatchObject({
        amount: -200,
        balance: 300,
        held: 0,
        available: 300,
      });
      const refused = await enter(test.api, id, -301);
      expect([refused.status, refused.body.code, refused.body.available]).toEqual([409, 'INSUFFICIENT_CREDIT', 300]);
      expect((await test.api.get(`/v1/accounts/${id}`, admin)).body).toEqual({
        ...{ id, currency: 'EUR', customerId: 'ada', isGiftCard: false },
        ...{ balance: 300, held: 0, available: 300 },
      });
      const entries = await test.api.get(`/v1/accounts/${id}/entries?limit=1`, admin);
      expect(entries.body.items).toMatchObject([{ kind: 'ADJUSTMENT', amount: -200, reason: 'test' }]);
      const rest = await test.api.get(`/v1/accounts/${id}/entries?cursor=${entries.body.nextCursor}`, admin);
      expect(rest.body).toMatchObject({ items: [{ amount: 500 }], nextCursor: null });
      const moved = await test.api.put(`/v1/accounts/${id}`, { currency: 'USD' });
      expect([moved.status, moved.body.code]).toEqual([409, 'INVALID_STATE']);
    });

    it('is entered once, however often the request is sent', async () => {
      const id = await newAccount(test.api, 0);
      const send = () =>
        test.api.post(
          `/v1/accounts/${id}/entries`,
          { amount: 100, reason: 'once' },
          { ...admin, idempotencyKey: `once-${id}` },
        );
      const answers = await Promise.all([send(), send(), send()]);
      expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
      expect(await balanceOf(test.api, id)).toEqual({ balance: 100, held: 0 });
    });

    it('is seen and spent by its customer and by admins, and by nobody else', async () => {
      const id = await newAccount(test.api, 400, 'ada');
      const [ada, bob] = [await bearer('ada'), await bearer('bob')];
      const credit = { payment: { method: 'pm_card_visa', credit: [{ accountId: id }] } };
      for (const headers of [undefined, bob]) {
        const options = headers ? { headers } : {};
        expect((await test.api.get(`/v1/accounts/${id}`, options)).body.code).toBe('ACCOUNT_NOT_FOUND');
        expect((await test.api.get(`/v1/accounts/${id}/entries`, options)).body.code).toBe('ACCOUNT_NOT_FOUND');
        const refused = await buy(test.api, sku, credit, options);
        expect([refused.status, refused.body.code]).toEqual([404, 'ACCOUNT_NOT_FOUND']);
      }
      expect((await test.api.get(`/v1/accounts/${id}`, { headers: ada })).body.available).toBe(400);
      const order = await buy(test.api, sku, credit, { headers: ada });
      expect(order.body).toMatchObject({
        state: 'CONFIRMED',
        total: 1_000,
        amountDue: 600,
        totals: [
          { type: 'items', label: 'Items', amount: 1_000 },
          { type: 'credit', label: 'Store credit', amount: -400 },
        ],
        payment: { amount: 600, method: 'pm_card_visa' },
        credit: { amount: 400, refundedAmount: 0 },
      });
      expect(await ledgerOf(test.api, order.body.id)).toMatchObject([{ amount: 600 }]);
      const entries = await test.api.get(`/v1/accounts/${id}/entries`, { headers: ada });
      expect(entries.body.items[0]).toMatchObject({ kind: 'PURCHASE', amount: -400, orderId: order.body.id });
      await enter(test.api, id, 1_000);
      const byAdmin = await buy(test.api, sku, { payment: { credit: [{ accountId: id }] } }, admin);
      expect(byAdmin.body).toMatchObject({ amountDue: 0, payment: { amount: 0, state: 'CAPTURED', method: null } });
    });
  });

  describe('on a gift card', () => {
    it('is spent by its code, which is shown once and stored nowhere', async () => {
      const card = await newGiftCard(test.api, 1_500);
      expect(card.code).toMatch(/^([0-9A-Z]{5}-){3}[0-9A-Z]{5}$/);
      const order = await buy(test.api, sku, withCard(card.code.toLowerCase()));
      expect(order.body).toMatchObject({ state: 'CONFIRMED', total: 1_000, amountDue: 0 });
      expect(order.body.totals[1]).toEqual({ type: 'credit', label: 'Gift card', amount: -1_000 });
      expect(await ledgerOf(test.api, order.body.id)).toEqual([]);
      expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 500, held: 0 });
      const plain = card.code.replaceAll('-', '');
      const tables = await test.database.query<{ name: string }>(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'sandbox')`,
      );
      for (const { name } of tables) {
        const found = await test.database.query(`SELECT 1 FROM ${name} AS row WHERE row::text ILIKE ANY ($1)`, [
          [`%${card.code}%`, `%${plain}%`],
        ]);
        expect({ name, found }).toEqual({ name, found: [] });
      }
    });

    it('is issued once under one key, and the answer is the same', async () => {
      const send = () =>
        test.api.post('/v1/gift-cards', { amount: 100, currency: 'EUR' }, { ...admin, idempotencyKey: 'gift-1' });
      const [first, second] = [await send(), await send()];
      expect(second.body).toEqual(first.body);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      const bare = await test.api.send('POST', '/v1/gift-cards', { amount: 100, currency: 'EUR' }, admin);
      expect([bare.status, bare.body.accountId === first.body.accountId]).toEqual([201, false]);
    });

    it('that does not exist is not found, and one in another currency is refused', async () => {
      const unknown = await buy(test.api, sku, withCard('00000-00000-00000-00000', 'pm_card_visa'));
      expect([unknown.status, unknown.body.code]).toEqual([404, 'ACCOUNT_NOT_FOUND']);
      const { body } = await test.api.post('/v1/gift-cards', { amount: 100, currency: 'USD' }, admin);
      const foreign = await buy(test.api, sku, withCard(body.code, 'pm_card_visa'));
      expect([foreign.status, foreign.body.errors[0].path]).toEqual([400, 'payment.credit.0']);
    });
  });

  it('that does not suffice is refused without a card, and leaves a REJECTED order', async () => {
    const card = await newGiftCard(test.api, 999);
    const refused = await buy(test.api, sku, withCard(card.code));
    expect([refused.status, refused.body.code]).toEqual([409, 'INSUFFICIENT_CREDIT']);
    expect(refused.body).toMatchObject({ required: 1_000, available: 999 });
    expect(await orderOf(test.api, refused.body.orderId)).toMatchObject({ state: 'REJECTED' });
    expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 999, held: 0 });
  });

  it('comes from several accounts in their order, after discounts, and the card pays the rest', async () => {
    const [first, second] = [await newGiftCard(test.api, 300), await newGiftCard(test.api, 400)];
    const coupon = await newCoupon(test.api);
    const credit = [first, second, first].map(({ code: giftCardCode }) => ({ giftCardCode }));
    const order = await buy(test.api, sku, { coupons: [coupon], payment: { method: 'pm_card_visa', credit } });
    expect(order.body).toMatchObject({ total: 900, amountDue: 200, payment: { amount: 200 } });
    expect(order.body.totals.map(({ amount }: { amount: number }) => amount)).toEqual([1_000, -100, -300, -400]);
    expect(await orderOf(test.api, order.body.id)).toMatchObject({ totals: order.body.totals, amountDue: 200 });
  });

  it('is given back by a decline, and held while a customer authenticates', async () => {
    const card = await newGiftCard(test.api, 400);
    expect((await buy(test.api, sku, withCard(card.code, 'pm_card_chargeDeclined'))).status).toBe(402);
    expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 400, held: 0 });
    const waiting = await buy(test.api, sku, withCard(card.code, 'pm_card_authenticationRequired'), {
      headers: { prefer: 'respond-async' },
    });
    expect(waiting.status).toBe(202);
    expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 400, held: 400 });
    expect((await enter(test.api, card.accountId, -1)).body.code).toBe('INSUFFICIENT_CREDIT');
    const token = { headers: { 'x-access-token': waiting.body.accessToken } };
    const cancelled = await test.api.post(`/v1/orders/${waiting.body.id}/cancel`, {}, token);
    expect(cancelled.body).toMatchObject({ state: 'REJECTED', rejection: { code: 'CANCELLED' } });
    expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 400, held: 0 });
    const kinds = (await timelineOf(test.api, waiting.body.id)).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['credit.held', 'credit.released']));
  });

  describe('and refunds', () => {
    const paid = async (credit: number, customer: object = {}) => {
      const card = await newGiftCard(test.api, credit);
      const order = await buy(test.api, sku, { customer, ...withCard(card.code, 'pm_card_visa') }, admin);
      expect(order.status).toBe(201);
      return { card, id: order.body.id as string };
    };
    const refund = (id: string, body: object) =>
      test.api.post(`/v1/orders/${id}/refunds`, { reason: 'test', ...body }, admin);

    it('go back to the card first, then to credit, and never beyond what was paid', async () => {
      const { card, id } = await paid(400);
      expect((await refund(id, { amount: 500 })).body).toMatchObject({ state: 'SETTLED', amount: 500, credited: 0 });
      expect((await refund(id, { amount: 200 })).body).toMatchObject({ state: 'SETTLED', amount: 200, credited: 100 });
      expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 100, held: 0 });
      const exceeds = await refund(id, { amount: 301 });
      expect(exceeds.body).toMatchObject({ code: 'REFUND_EXCEEDS_CAPTURED', captured: 1_000, refundable: 300 });
      expect((await refund(id, {})).body).toMatchObject({ state: 'SETTLED', amount: 300, credited: 300 });
      expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 400, held: 0 });
      expect(await orderOf(test.api, id)).toMatchObject({
        payment: { state: 'REFUNDED', refundedAmount: 600 },
        credit: { amount: 400, refundedAmount: 400 },
      });
      expect((await refund(id, {})).body.code).toBe('REFUND_EXCEEDS_CAPTURED');
      expect(await ledgerOf(test.api, id)).toMatchObject([{ amount: 600, refundedAmount: 600 }]);
    });

    it('go to the customer’s account at once, if asked to, or to the one that paid', async () => {
      const account = await newAccount(test.api, 0, 'gina');
      const { card, id } = await paid(400, { id: 'gina' });
      const credited = await refund(id, { amount: 700, to: 'credit' });
      expect(credited.body).toMatchObject({ state: 'SETTLED', amount: 700, credited: 700, currency: 'EUR' });
      expect(await balanceOf(test.api, account)).toEqual({ balance: 700, held: 0 });
      expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 0, held: 0 });
      expect(await orderOf(test.api, id)).toMatchObject({
        payment: { state: 'CAPTURED', refundedAmount: 0, creditedAmount: 600 },
        credit: { refundedAmount: 100 },
      });
      expect(await ledgerOf(test.api, id)).toMatchObject([{ refundedAmount: 0 }]);
      const cancelled = await test.api.post(`/v1/orders/${id}/cancel`, {}, admin);
      expect(cancelled.body.state).toBe('CANCELLED');
      expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 300, held: 0 });

      const guest = await paid(100);
      expect((await refund(guest.id, { to: 'credit' })).body).toMatchObject({ amount: 1_000, credited: 1_000 });
      expect(await balanceOf(test.api, guest.card.accountId)).toEqual({ balance: 1_000, held: 0 });
      const plain = await buy(test.api, sku);
      expect((await refund(plain.body.id, { to: 'credit' })).body.code).toBe('ACCOUNT_NOT_FOUND');
    });

    it('of a cancelled order give credit back, whatever was refunded before', async () => {
      const { card, id } = await paid(400);
      await refund(id, { amount: 650 });
      const cancelled = await test.api.post(`/v1/orders/${id}/cancel`, {}, admin);
      expect(cancelled.body).toMatchObject({
        state: 'CANCELLED',
        payment: { state: 'REFUNDED', refundedAmount: 600 },
        credit: { amount: 400, refundedAmount: 400 },
      });
      expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 400, held: 0 });
    });

    it('at once, many of them, give back no more than was paid', async () => {
      const { card, id } = await paid(500);
      const answers = await Promise.all(Array.from({ length: 12 }, () => refund(id, { amount: 150 })));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
      expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 400, held: 0 });
    });

    it('at once, pay nothing where they are refused', async () => {
      const { card, id } = await paid(500);
      const answers = await Promise.all(Array.from({ length: 4 }, () => refund(id, { amount: 600 })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
      expect(await balanceOf(test.api, card.accountId)).toEqual({ balance: 100, held: 0 });
    });
  });

  it('is tried for codes only so often from one address', async () => {
    const limited = await startTestApp({ RATE_LIMIT: '10000' }, test.database);
    const guess = () => buy(limited.api, sku, withCard('ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ', 'pm_card_visa'));
    const answers: string[] = [];
    // Twice as many as a minute allows: it may turn in between.
    while (answers.length < 130 && answers.at(-1) !== 'RATE_LIMITED') answers.push((await guess()).body.code);
    expect(answers.at(-1)).toBe('RATE_LIMITED');
    expect(answers.filter((code) => code === 'ACCOUNT_NOT_FOUND').length).toBeGreaterThanOrEqual(60);
    await limited.close();
  });
});
