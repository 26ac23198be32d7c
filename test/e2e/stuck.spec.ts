import { randomUUID } from 'node:crypto';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { basket, chargesOf, refuseConfirmations, shelve } from '../setup/shop.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

/** The provider cannot write refunds down, and so makes none, until it is mended. */
async function breakRefunds(database: TestDatabase): Promise<void> {
  await database.query(
    `CREATE OR REPLACE FUNCTION test_no_refunds() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'out of order'; END $$`,
  );
  await database.query(
    `CREATE TRIGGER test_no_refunds BEFORE INSERT ON sandbox.refunds FOR EACH ROW EXECUTE FUNCTION test_no_refunds()`,
  );
}

describe('a compensation that keeps failing', () => {
  let database: TestDatabase;
  let shop: AppProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    await refuseConfirmations(database);
    shop = await startAppProcess({
      DATABASE_URL: database.url,
      LOG_LEVEL: 'error',
      SAGA_BACKOFF_FACTOR: '0.001',
    });
    await shelve(shop.api, 'stuck', 100);
  });
  afterAll(async () => {
    await shop.stop();
    await database.drop();
  });

  const admin = { key: 'admin' } as const;
  const sagaOf = async (id: string) => (await shop.api.get(`/v1/sagas/${id}`, admin)).body;
  const reaches = (id: string, state: string) =>
    eventually(`saga ${id} is ${state}`, async () => {
      const saga = await sagaOf(id);
      return saga.state === state && saga;
    });
  const verb = (id: string, name: string, reason?: string) =>
    shop.api.post(`/v1/sagas/${id}/${name}`, reason === undefined ? {} : { reason }, admin);

  /** Paid, not confirmed, and not paid back either. */
  const stuckOrder = async () => {
    await breakRefunds(database);
    const key = randomUUID();
    const body = basket('stuck', { metadata: { refuse: true } });
    const answer = await shop.api.post('/v1/checkouts', body, { idempotencyKey: key });
    expect(answer.status).toBe(202);
    await reaches(answer.body.sagaId, 'STUCK');
    return { key, body, orderId: answer.body.id as string, sagaId: answer.body.sagaId as string };
  };
  const mend = () => database.query(`DROP TRIGGER test_no_refunds ON sandbox.refunds`);

  it('is STUCK: in the list, in a metric, in the log and in the outbox; and finishes after a retry once it can', async () => {
    const { key, body, orderId, sagaId } = await stuckOrder();
    const { items } = (await shop.api.get('/v1/sagas?state=STUCK', admin)).body;
    expect(items).toEqual([
      expect.objectContaining({ id: sagaId, name: 'checkout', state: 'STUCK', subject: orderId }),
    ]);
    const metrics = (await shop.api.get('/metrics', admin)).body as string;
    expect(metrics).toMatch(/^sagas_stuck_total\{saga="checkout"\} 1$/m);
    expect(shop.output()).toContain('saga is STUCK and waits for an operator');
    expect(shop.output()).toContain(sagaId);
    const events = await database.query(`SELECT type FROM outbox WHERE subject = $1 AND type = 'saga.stuck'`, [
      orderId,
    ]);
    expect(events).toHaveLength(1);
    expect(await chargesOf(database, orderId)).toEqual({ charges: 1, net: 1_000 });

    expect((await verb(sagaId, 'retry', 'is it mended?')).status).toBe(200);
    expect((await reaches(sagaId, 'STUCK')).audit).toHaveLength(1);
    await mend();
    expect((await verb(sagaId, 'retry', 'mended')).status).toBe(200);
    const saga = await reaches(sagaId, 'COMPENSATED');
    expect(saga.audit).toEqual([
      expect.objectContaining({ verb: 'retry', reason: 'is it mended?', fromState: 'STUCK', toState: 'COMPENSATING' }),
      expect.objectContaining({ verb: 'retry', reason: 'mended', actor: expect.any(String), at: expect.any(String) }),
    ]);
    expect((await shop.api.get(`/v1/orders/${orderId}`, admin)).body).toMatchObject({
      state: 'REJECTED',
      payment: { state: 'REFUNDED', refundedAmount: 1_000 },
      reservation: { state: 'RELEASED' },
    });
    expect(await chargesOf(database, orderId)).toEqual({ charges: 1, net: 0 });
    const replay = await shop.api.post('/v1/checkouts', body, { idempotencyKey: key });
    expect(replay.body.orderId).toBe(orderId);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(await violations(database)).toEqual({});
  });

  it('is closed by hand with everything that was still to undo, and the books show what is left to settle', async () => {
    const { orderId, sagaId } = await stuckOrder();
    const resolved = await verb(sagaId, 'resolve', 'paid back in cash');
    expect(resolved.body).toMatchObject({
      state: 'RESOLVED',
      audit: [{ verb: 'resolve', reason: 'paid back in cash', fromState: 'STUCK', toState: 'RESOLVED' }],
    });
    expect((await shop.api.get(`/v1/orders/${orderId}`, admin)).body).toMatchObject({
      state: 'REJECTED',
      reservation: { state: 'RELEASED' },
    });
    // Nothing hangs in the air; that the provider still has the money is for everybody to see.
    expect(Object.keys(await violations(database))).toEqual(['4 rejected and cancelled are paid back']);
    await mend();
    await database.query(`DELETE FROM refunds WHERE order_id = $1`, [orderId]);
    await database.query(
      `UPDATE payments SET state = 'REFUNDED', refund_reserved = amount, refunded_amount = amount WHERE order_id = $1`,
      [orderId],
    );
    await database.query(
      `UPDATE sandbox.charges SET state = 'REFUNDED', refunded_amount = amount WHERE order_id = $1`,
      [orderId],
    );
    expect(await violations(database)).toEqual({});
  });

  it('can be asked for: a checkout that waits for its customer is turned back', async () => {
    const answer = await shop.api.post(
      '/v1/checkouts',
      basket('stuck', { payment: { method: 'pm_card_authenticationRequired' } }),
    );
    expect(answer.body).toMatchObject({ state: 'PENDING', nextAction: { type: 'redirect_to_url' } });
    const { sagaId, id } = answer.body;
    expect((await verb(sagaId, 'retry')).body).toMatchObject({ code: 'INVALID_STATE', state: 'WAITING' });
    expect((await verb(sagaId, 'compensate', 'fraud')).status).toBe(200);
    const saga = await reaches(sagaId, 'COMPENSATED');
    expect(saga.audit).toMatchObject([{ verb: 'compensate', reason: 'fraud' }]);
    const order = (await shop.api.get(`/v1/orders/${id}`, admin)).body;
    // The customer reads the rejection, not what the operator thinks of the customer.
    expect(JSON.stringify(order)).not.toContain('fraud');
    expect(order).toMatchObject({
      state: 'REJECTED',
      rejection: { code: 'CANCELLED' },
      payment: { state: 'DECLINED' },
      reservation: { state: 'RELEASED' },
    });
    expect(await chargesOf(database, id)).toEqual({ charges: 0, net: 0 });
  });

  it('can be asked for again when a cancellation was closed by hand: paid back once, by the refund that was begun', async () => {
    const { id } = (await shop.api.post('/v1/checkouts', basket('stuck'))).body;
    const cancel = () => shop.api.post(`/v1/orders/${id}/cancel`, undefined, admin);
    await breakRefunds(database);
    expect((await cancel()).status).toBe(202);
    const [{ sagaId }] = (await database.query<{ sagaId: string }>(
      `SELECT cancelled_by AS "sagaId" FROM orders WHERE id = $1`,
      [id],
    )) as [{ sagaId: string }];
    await reaches(sagaId, 'STUCK');
    expect((await cancel()).body).toMatchObject({ status: 409, code: 'INVALID_STATE' });
    expect((await verb(sagaId, 'resolve', 'the customer keeps it')).body).toMatchObject({ state: 'RESOLVED' });
    expect((await shop.api.get(`/v1/orders/${id}`, admin)).body).toMatchObject({ state: 'CONFIRMED' });

    await mend();
    const answers = await Promise.all([1, 2, 3, 4].map(cancel));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await shop.api.get(`/v1/orders/${id}`, admin)).body).toMatchObject({
      state: 'CANCELLED',
      payment: { state: 'REFUNDED', refundedAmount: 1_000 },
    });
    expect(await chargesOf(database, id)).toEqual({ charges: 1, net: 0 });
    const refunds = await database.query(`SELECT state, amount::int FROM refunds WHERE order_id = $1`, [id]);
    expect(refunds).toEqual([{ state: 'SETTLED', amount: 1_000 }]);
    expect(await violations(database)).toEqual({});
    expect((await cancel()).body).toMatchObject({ status: 409, code: 'INVALID_STATE' });
  });

  it('refuses verbs that make no sense', async () => {
    const { body } = await shop.api.post('/v1/checkouts', basket('stuck'));
    for (const name of ['retry', 'compensate', 'resolve']) {
      const answer = await verb(body.sagaId, name);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code: 'INVALID_STATE', state: 'COMPLETED' });
      expect((await verb(randomUUID(), name)).body.code).toBe('SAGA_NOT_FOUND');
      const asStorefront = await shop.api.post(`/v1/sagas/${body.sagaId}/${name}`, {});
      expect(asStorefront.status).toBe(403);
    }
    expect((await sagaOf(body.sagaId)).audit).toEqual([]);
    expect((await shop.api.get('/v1/sagas/not-an-id', admin)).body.code).toBe('SAGA_NOT_FOUND');
    expect((await shop.api.get('/v1/sagas?state=NOPE', admin)).body.code).toBe('VALIDATION_FAILED');
  });
});
