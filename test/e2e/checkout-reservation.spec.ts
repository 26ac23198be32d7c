import { randomUUID } from 'node:crypto';
import { violations } from '../setup/invariants.js';
import { basket, shelve } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

describe('phase two of a reservation', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    await shelve(test.api, 'seat', 100, 700);
  });
  afterAll(async () => {
    expect(await violations(test.database)).toEqual({});
    await test.close();
  });

  const hold = async () =>
    (await test.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku: 'seat', quantity: 2 }] })).body;
  const buy = (reservationId: string, accessToken?: string, overrides: Record<string, unknown> = {}) =>
    test.api.post(
      '/v1/checkouts',
      { currency: 'EUR', reservationId, payment: { method: 'pm_card_visa' }, ...overrides },
      { headers: accessToken === undefined ? {} : { 'x-access-token': accessToken }, idempotencyKey: randomUUID() },
    );
  const stateOf = async (id: string) =>
    (await test.database.query<{ state: string }>(`SELECT state FROM reservations WHERE id = $1`, [id]))[0]?.state;

  it('buys what is held at the price it was held for', async () => {
    const held = await hold();
    await test.api.put('/v1/skus/seat', { name: 'Seat', unitAmount: 900, currency: 'EUR' });
    const { status, body } = await buy(held.id, held.accessToken, { expectedTotal: 1_400 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ total: 1_400, reservation: { id: held.id, state: 'COMMITTED' } });
    expect(await stateOf(held.id)).toBe('COMMITTED');
    await test.api.put('/v1/skus/seat', { name: 'Seat', unitAmount: 700, currency: 'EUR' });
  });

  it('is nobody else’s: without its token the reservation does not exist', async () => {
    const held = await hold();
    const other = await hold();
    for (const token of [undefined, 'wrong', other.accessToken]) {
      const answer = await buy(held.id, token);
      expect(answer).toMatchObject({ status: 404, body: { code: 'RESERVATION_NOT_FOUND' } });
    }
    expect((await buy(randomUUID(), held.accessToken)).status).toBe(404);
    expect(await stateOf(held.id)).toBe('HELD');
  });

  it('refuses what has expired, was released or was sold, and leaves no order', async () => {
    const expired = await hold();
    await test.database.query(`UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      expired.id,
    ]);
    expect(await buy(expired.id, expired.accessToken)).toMatchObject({
      status: 410,
      body: { code: 'RESERVATION_EXPIRED', reservationId: expired.id, expiredAt: expect.stringMatching(/^20.*Z$/) },
    });
    const released = await hold();
    await test.api.delete(`/v1/reservations/${released.id}`, { headers: { 'x-access-token': released.accessToken } });
    expect((await buy(released.id, released.accessToken)).body).toMatchObject({
      ...{ code: 'INVALID_STATE', reservationId: released.id, state: 'RELEASED' },
    });
    const sold = await hold();
    expect((await buy(sold.id, sold.accessToken)).status).toBe(201);
    expect((await buy(sold.id, sold.accessToken)).body).toMatchObject({
      ...{ code: 'INVALID_STATE', reservationId: sold.id, state: 'COMMITTED' },
    });
  });

  it('is bought once when two try at the same time', async () => {
    const held = await hold();
    const answers = await Promise.all([1, 2, 3].map(() => buy(held.id, held.accessToken)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    for (const { status, body } of answers)
      if (status === 409) {
        expect(body).toMatchObject({ code: 'INVALID_STATE', reservationId: held.id });
        expect(['HELD', 'COMMITTED']).toContain(body.state);
      }
    expect(await stateOf(held.id)).toBe('COMMITTED');
  });

  it('has its own currency and total', async () => {
    const held = await hold();
    expect((await buy(held.id, held.accessToken, { currency: 'USD' })).body.code).toBe('VALIDATION_FAILED');
    expect((await buy(held.id, held.accessToken, { expectedTotal: 1 })).body.code).toBe('PRICE_CHANGED');
    expect((await test.api.post('/v1/checkouts', { ...basket('seat'), reservationId: held.id })).body.code).toBe(
      'VALIDATION_FAILED',
    );
    expect(await stateOf(held.id)).toBe('HELD');
  });
});
