import { randomUUID } from 'node:crypto';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { basket, chargesOf, shelve } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

describe('/v1/orders', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ SAGA_BACKOFF_FACTOR: '0.1' });
    await shelve(test.api, 'mug', 1_000, 1_000);
  });
  afterAll(async () => {
    expect(await violations(test.database)).toEqual({});
    await test.close();
  });

  const admin = { key: 'admin' } as const;
  const buy = async (overrides: Record<string, unknown> = {}) =>
    (await test.api.post('/v1/checkouts', basket('mug', overrides))).body;
  const act = (id: string, verb: string, body?: unknown, key: string = randomUUID()) =>
    test.api.send('POST', `/v1/orders/${id}/${verb}`, body, { ...admin, idempotencyKey: key });
  const onHand = async () => (await test.api.get('/v1/skus/mug')).body.onHand as number;

  it('are read by an admin, by the holder of the token, and by nobody else', async () => {
    const bought = await buy();
    const read = (headers: Record<string, string>, key: 'admin' | 'storefront' = 'storefront') =>
      test.api.get(`/v1/orders/${bought.id}`, { headers, key });
    expect((await read({}, 'admin')).body.id).toBe(bought.id);
    expect((await read({ 'x-access-token': bought.accessToken })).status).toBe(200);
    expect((await read({})).body.code).toBe('ORDER_NOT_FOUND');
    expect((await read({ 'x-access-token': 'no' })).status).toBe(404);
    for (const id of [randomUUID(), 'not-an-id']) {
      for (const path of ['', '/timeline']) {
        const answer = await test.api.get(`/v1/orders/${id}${path}`, admin);
        expect(answer).toMatchObject({ status: 404, body: { code: 'ORDER_NOT_FOUND' } });
      }
    }
  });

  it('are listed newest first, by customer and state, page by page', async () => {
    const customer = { id: `c-${randomUUID()}` };
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await buy({ customer })).id);
    await buy({ customer, payment: { method: 'pm_card_chargeDeclined' } });
    const page = async (query: string) =>
      (await test.api.get(`/v1/orders?customerId=${customer.id}${query}`, admin)).body;
    expect((await page('')).items).toHaveLength(6);
    expect((await page('&state=REJECTED')).items).toHaveLength(1);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { items, nextCursor } = await page(`&state=CONFIRMED&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...items.map(({ id }: { id: string }) => id));
      cursor = nextCursor;
    }
    expect(seen).toEqual(ids);
    expect((await test.api.get('/v1/orders')).status).toBe(403);
    expect((await page('&state=NOPE')).code).toBe('VALIDATION_FAILED');
    expect((await page('&limit=0')).code).toBe('VALIDATION_FAILED');
  });

  it('tell what happened to them, step by step', async () => {
    const { id } = await buy();
    const { items } = (await test.api.get(`/v1/orders/${id}/timeline`, admin)).body;
    const kinds = items.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(['order.created', 'reservation.held', 'payment.captured', 'order.confirmed']),
    );
    const steps = items.flatMap(({ detail }: { detail: { step?: string } }) => detail.step ?? []);
    expect([...new Set(steps)]).toEqual(['create-order', 'reserve-inventory', 'process-payment', 'confirm-order']);
    const times = items.map(({ at }: { at: string }) => at);
    expect(times).toEqual([...times].sort());
    expect(JSON.stringify(items)).not.toContain('pm_card_visa');
  });

  it('are cancelled: paid back, restocked, and the same again under the same key', async () => {
    const { id } = await buy({ lines: [{ sku: 'mug', quantity: 3 }] });
    const before = await onHand();
    const key = randomUUID();
    const answer = await act(id, 'cancel', undefined, key);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id,
      state: 'CANCELLED',
      payment: { state: 'REFUNDED', refundedAmount: 3_000 },
    });
    expect(await onHand()).toBe(before + 3);
    expect(await chargesOf(test.database, id)).toEqual({ charges: 1, net: 0 });
    const again = await act(id, 'cancel', undefined, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.state).toBe('CANCELLED');
    expect((await act(id, 'cancel')).body).toMatchObject({ code: 'INVALID_STATE', status: 409 });
    expect(await onHand()).toBe(before + 3);
  });

  it('are cancelled once when several ask at the same time', async () => {
    const { id } = await buy();
    const before = await onHand();
    const answers = await Promise.all([1, 2, 3].map(() => act(id, 'cancel')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    for (const { headers, body } of answers.filter(({ status }) => status === 409)) {
      expect(headers.get('idempotent-replayed')).toBeNull();
      expect(body).toMatchObject({ code: 'INVALID_STATE', orderId: id });
      expect(['CONFIRMED', 'CANCELLED']).toContain(body.state);
    }
    expect(await onHand()).toBe(before + 1);
    expect(await chargesOf(test.database, id)).toEqual({ charges: 1, net: 0 });
  });

  it('are refunded in part and in full, never above what was captured', async () => {
    const { id } = await buy();
    const part = await act(id, 'refunds', { amount: 300, reason: 'scratched' });
    expect(part.status).toBe(201);
    expect(part.body).toMatchObject({
      orderId: id,
      state: 'SETTLED',
      amount: 300,
      currency: 'EUR',
      reason: 'scratched',
    });
    expect((await act(id, 'refunds', { amount: 701, reason: 'x' })).body).toMatchObject({
      code: 'REFUND_EXCEEDS_CAPTURED',
      refundable: 700,
    });
    expect((await act(id, 'refunds', { reason: 'the rest' })).body.amount).toBe(700);
    expect((await act(id, 'refunds', { reason: 'more' })).status).toBe(409);
    const { body } = await test.api.get(`/v1/orders/${id}`, admin);
    expect(body).toMatchObject({ state: 'CONFIRMED', payment: { state: 'REFUNDED', refundedAmount: 1_000 } });
  });

  it('share what was captured among refunds that race', async () => {
    const { id } = await buy();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => act(id, 'refunds', { amount: 300, reason: 'race' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await chargesOf(test.database, id)).toEqual({ charges: 1, net: 100 });
  });

  it('are paid back also where the first refunds fail', async () => {
    const { id } = await buy({ payment: { method: 'pm_sandbox_refund_fails' } });
    await act(id, 'cancel');
    await eventually('the third refund', async () => {
      const { body } = await test.api.get(`/v1/orders/${id}`, admin);
      return body.state === 'CANCELLED';
    });
    expect(await chargesOf(test.database, id)).toEqual({ charges: 1, net: 0 });
  });

  it('refuse verbs on what does not allow them', async () => {
    const declined = await buy({ payment: { method: 'pm_card_chargeDeclined' } });
    expect((await act(declined.orderId, 'cancel')).body.code).toBe('INVALID_STATE');
    expect((await act(declined.orderId, 'refunds', { reason: 'x' })).body.code).toBe('INVALID_STATE');
    expect((await act(randomUUID(), 'cancel')).body.code).toBe('ORDER_NOT_FOUND');
    expect((await act(randomUUID(), 'refunds', { reason: 'x' })).body.code).toBe('ORDER_NOT_FOUND');
    const { id } = await buy();
    for (const body of [{}, { reason: '' }, { reason: 'x', amount: 0 }, { reason: 'x', amount: 1.5 }, { amount: 1 }])
      expect((await act(id, 'refunds', body)).body.code).toBe('VALIDATION_FAILED');
    expect((await test.api.post(`/v1/orders/${id}/cancel`, undefined)).body.code).toBe('ORDER_NOT_FOUND');
    const keyless = await test.api.send('POST', `/v1/orders/${id}/cancel`, undefined, admin);
    expect(keyless.body.code).toBe('IDEMPOTENCY_KEY_MISSING');
  });
});
