import { randomUUID } from 'node:crypto';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { basket, chargesOf, shelve } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

describe('POST /v1/checkouts', () => {
  let test: TestApp;
  beforeAll(async () => {
    // Authentications wait for the test; nothing may be charged behind its back.
    test = await startTestApp({
      SANDBOX_AUTHENTICATION_MS: '0',
      GATEWAY_TIMEOUT_MS: '1000',
      SAGA_BACKOFF_FACTOR: '0.1',
    });
    await shelve(test.api, 'mug', 1_000, 1_250);
    await shelve(test.api, 'tee', 1_000, 2_000);
    await shelve(test.api, 'rare', 1);
    await shelve(test.api, 'free', 100, 0);
  });
  afterAll(async () => {
    expect(await violations(test.database)).toEqual({});
    await test.close();
  });

  const checkOut = (body: unknown, headers: Record<string, string> = {}, key: string = randomUUID()) =>
    test.api.post('/v1/checkouts', body, { headers: { prefer: 'wait=25', ...headers }, idempotencyKey: key });
  const order = async (id: string) => (await test.api.get(`/v1/orders/${id}`, { key: 'admin' })).body;

  it('answers 201 with the whole order, its location and its access token', async () => {
    const answer = await checkOut({
      ...basket('mug'),
      customer: { id: 'c-1', email: 'ada@example.com' },
      lines: [
        { sku: 'mug', quantity: 2 },
        { sku: 'tee', quantity: 1 },
        { sku: 'mug', quantity: 1 },
      ],
      expectedTotal: 5_750,
      metadata: { cart: 'c-42', gift: true, weight: 1.5, note: null },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/orders/${answer.body.id}`);
    expect(answer.body).toMatchObject({
      state: 'CONFIRMED',
      currency: 'EUR',
      total: 5_750,
      lines: [
        { sku: 'mug', quantity: 3, unitAmount: 1_250, amount: 3_750 },
        { sku: 'tee', quantity: 1, unitAmount: 2_000, amount: 2_000 },
      ],
      customer: { id: 'c-1', email: 'ada@example.com' },
      payment: { state: 'CAPTURED', amount: 5_750, refundedAmount: 0, method: 'pm_card_visa' },
      reservation: { state: 'COMMITTED' },
      metadata: { cart: 'c-42', gift: true, weight: 1.5, note: null },
      accessToken: expect.any(String),
    });
    const { accessToken, ...rest } = answer.body;
    const read = await test.api.get(`/v1/orders/${answer.body.id}`, { headers: { 'x-access-token': accessToken } });
    // The link to the events has a token of its own each time it is asked for.
    expect(read.body).toEqual({ ...rest, eventsUrl: expect.any(String), updatedAt: expect.any(String) });
    expect(await chargesOf(test.database, answer.body.id)).toEqual({ charges: 1, net: 5_750 });
  });

  it('keeps the price that was agreed on when the catalogue changes', async () => {
    await shelve(test.api, 'moving', 10, 100);
    const { body } = await checkOut(basket('moving'));
    await test.api.put('/v1/skus/moving', { name: 'Dearer', unitAmount: 999, currency: 'EUR' });
    expect((await order(body.id)).lines).toEqual([expect.objectContaining({ unitAmount: 100, name: 'Test moving' })]);
    const changed = await checkOut({ ...basket('moving'), expectedTotal: 100 });
    expect(changed.status).toBe(409);
    expect(changed.body).toMatchObject({
      code: 'PRICE_CHANGED',
      quote: { total: 999, currency: 'EUR', lines: [{ sku: 'moving', unitAmount: 999 }] },
    });
    expect(changed.body.orderId).toBeUndefined();
  });

  it('replays its answer under the same key, refusals included, and knows another payload', async () => {
    const key = randomUUID();
    const first = await checkOut(basket('mug'), {}, key);
    const again = await checkOut(basket('mug'), {}, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await checkOut(basket('tee'), {}, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');

    const declinedKey = randomUUID();
    const declining = basket('mug', { payment: { method: 'pm_card_chargeDeclinedInsufficientFunds' } });
    const declined = await checkOut(declining, {}, declinedKey);
    expect(declined.status).toBe(402);
    expect(declined.body).toMatchObject({ code: 'PAYMENT_DECLINED', declineCode: 'insufficient_funds' });
    const declinedAgain = await checkOut(declining, {}, declinedKey);
    expect(declinedAgain).toMatchObject({ status: 402, body: { orderId: declined.body.orderId } });
    expect(declinedAgain.headers.get('idempotent-replayed')).toBe('true');
    expect(await order(declined.body.orderId)).toMatchObject({
      state: 'REJECTED',
      rejection: { code: 'PAYMENT_DECLINED', declineCode: 'insufficient_funds' },
      payment: { state: 'DECLINED' },
      reservation: { state: 'RELEASED' },
    });
  });

  it('sends two at once with one key to the same order', async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      [1, 2, 3].map(() => checkOut(basket('mug', { metadata: { tag: key } }), {}, key)),
    );
    const ids = new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : [])));
    expect(ids.size).toBe(1);
    expect(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code)).toEqual(
      answers.filter(({ status }) => status !== 201).map(() => 'IDEMPOTENCY_IN_PROGRESS'),
    );
    const orders = await test.database.query(`SELECT 1 FROM orders WHERE metadata->>'tag' = $1`, [key]);
    expect(orders).toHaveLength(1);
  });

  it('names what is short, and leaves a REJECTED order', async () => {
    expect((await checkOut(basket('rare'))).status).toBe(201);
    const refused = await checkOut({
      ...basket(''),
      lines: [
        { sku: 'rare', quantity: 2 },
        { sku: 'mug', quantity: 1 },
      ],
    });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'OUT_OF_STOCK',
      shortages: [{ sku: 'rare', requested: 2, available: 0 }],
    });
    expect(await order(refused.body.orderId)).toMatchObject({ state: 'REJECTED', reservation: null });
    expect(await chargesOf(test.database, refused.body.orderId)).toEqual({ charges: 0, net: 0 });
  });

  it('charges nothing for what is free', async () => {
    const { status, body } = await checkOut(basket('free'));
    expect([status, body.total, body.payment.state]).toEqual([201, 0, 'CAPTURED']);
    expect(await chargesOf(test.database, body.id)).toEqual({ charges: 0, net: 0 });
  });

  it('answers at once when asked to, and the same key gets the outcome', async () => {
    const key = randomUUID();
    const slow = basket('mug', { payment: { method: 'pm_sandbox_slow' } });
    const accepted = await checkOut(slow, { prefer: 'respond-async' }, key);
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('location')).toBe(`/v1/orders/${accepted.body.id}`);
    expect(Number(accepted.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(accepted.body).toMatchObject({ state: 'PENDING', accessToken: expect.any(String) });
    const outcome = await eventually('the outcome', async () => {
      const answer = await checkOut(slow, { prefer: 'wait=5' }, key);
      return answer.status === 201 ? answer : undefined;
    });
    expect(outcome.body).toMatchObject({ id: accepted.body.id, state: 'CONFIRMED' });
  });

  it('waits no longer than it was asked to', async () => {
    const slow = basket('mug', { payment: { method: 'pm_card_visa' }, metadata: { slow: true } });
    await test.api.put('/v1/sandbox/faults', { chargeLatencyMs: 400 });
    const { status, body } = await checkOut(slow, { prefer: 'wait=0' });
    await test.api.put('/v1/sandbox/faults', {});
    expect(status).toBe(202);
    await eventually('it goes on', async () => (await order(body.id)).state === 'CONFIRMED');
  });

  it.each([
    ['pm_sandbox_timeout_after_charge', 201, 'CONFIRMED', 1],
    ['pm_sandbox_timeout_before_charge', 503, 'REJECTED', 0],
    ['pm_sandbox_error', 201, 'CONFIRMED', 1],
    ['pm_sandbox_unheard_of', 402, 'REJECTED', 0],
  ])('never guesses: %s ends with %i, %s', async (method, status, state, charges) => {
    const answer = await checkOut(basket('mug', { payment: { method } }));
    expect(answer.status).toBe(status);
    const id = answer.body.id ?? answer.body.orderId;
    expect((await order(id)).state).toBe(state);
    expect(await chargesOf(test.database, id)).toEqual({ charges, net: charges * 1_250 });
  });

  it('waits for a customer who has to authenticate, and finishes with the callback', async () => {
    const key = randomUUID();
    const body = basket('mug', { payment: { method: 'pm_card_authenticationRequired' } });
    const accepted = await checkOut(body, {}, key);
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({ state: 'PENDING', payment: { state: 'REQUIRES_ACTION' } });
    const { url } = accepted.body.nextAction;
    expect((await fetch(`${url}/approve`, { method: 'POST' })).status).toBe(200);
    const done = await eventually('the callback', async () => {
      const now = await order(accepted.body.id);
      return now.state === 'CONFIRMED' ? now : undefined;
    });
    expect(done).toMatchObject({ payment: { state: 'CAPTURED' } });
    expect(done.nextAction).toBeUndefined();
    expect(await checkOut(body, {}, key)).toMatchObject({ status: 201, body: { id: accepted.body.id } });
  });

  it('pays back a payment that arrives after its hold ran out and the stock is gone', async () => {
    await shelve(test.api, 'seat', 1);
    const { body } = await checkOut(basket('seat', { payment: { method: 'pm_card_authenticationRequired' } }));
    await test.database.query(`UPDATE reservations SET expires_at = now() - interval '1 second' WHERE order_id = $1`, [
      body.id,
    ]);
    await eventually('the hold expires and another gets it', async () => {
      const other = await checkOut(basket('seat'));
      return other.status === 201;
    });
    await fetch(`${body.nextAction.url}/approve`, { method: 'POST' });
    const rejected = await eventually('the refund', async () => {
      const now = await order(body.id);
      return now.state === 'REJECTED' ? now : undefined;
    });
    expect(rejected).toMatchObject({ rejection: { code: 'OUT_OF_STOCK' }, payment: { state: 'REFUNDED' } });
    expect(await chargesOf(test.database, body.id)).toEqual({ charges: 1, net: 0 });
  });
});
