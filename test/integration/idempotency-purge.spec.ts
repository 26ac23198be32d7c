import { randomUUID } from 'node:crypto';
import { IdempotencyPurgeJob } from '../../src/platform/idempotency/idempotency-purge.job.js';
import type { ApiResponse } from '../setup/api-client.js';
import { eventually } from '../setup/eventually.js';
import { basket, shelve } from '../setup/shop.js';
import { startTestApp, TestApp } from '../setup/test-app.js';
import { createTestDatabase, TestDatabase } from '../setup/test-database.js';

const authenticated = basket('mug', { payment: { method: 'pm_card_authenticationRequired' } });

describe('how long an Idempotency-Key is kept', () => {
  let database: TestDatabase;
  let one: TestApp;
  let two: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    one = await startTestApp({ SANDBOX_AUTHENTICATION_MS: '0' }, database);
    two = await startTestApp({ SANDBOX_AUTHENTICATION_MS: '0' }, database);
    await shelve(one.api, 'mug', 1_000);
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await database.drop();
  });

  const checkOut = (idempotencyKey: string, body: object = basket('mug'), app = one) =>
    app.api.post('/v1/checkouts', body, { idempotencyKey });
  const purge = (app = one) => app.app.get(IdempotencyPurgeJob).run();
  /** Time goes by for a request and what it left. */
  async function age({ body }: ApiResponse, hours: number, hoursSinceEnd = hours): Promise<void> {
    await database.query(
      `UPDATE idempotency_keys SET created_at = created_at - $2 * interval '1 hour', expires_at = expires_at - $2 * interval '1 hour'
       WHERE saga_id = $1`,
      [body.sagaId, hours],
    );
    await database.query(
      `UPDATE sagas SET created_at = created_at - $2 * interval '1 hour', updated_at = now() - $3 * interval '1 hour' WHERE id = $1`,
      [body.sagaId, hours, hoursSinceEnd],
    );
  }
  /** What a retry says: the order of the first request, or one of its own. */
  async function retry(first: ApiResponse, key: string, body?: object): Promise<'same' | 'another'> {
    const again = await checkOut(key, body, two);
    expect([201, 202]).toContain(again.status);
    return again.body.id === first.body.id ? 'same' : 'another';
  }

  it('24 hours for a checkout that ended at once', async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    const [first, second] = [await checkOut(old), await checkOut(young)];
    await age(first, 25);
    await age(second, 23);
    await purge();
    expect(await retry(first, old)).toBe('another');
    expect(await retry(second, young)).toBe('same');
  });

  it('24 hours for what is no saga', async () => {
    const [key, hold] = [randomUUID(), { currency: 'EUR', lines: [{ sku: 'mug', quantity: 1 }] }];
    const post = () => one.api.post('/v1/reservations', hold, { idempotencyKey: key });
    const first = await post();
    await purge();
    expect((await post()).body.id).toBe(first.body.id);
    await database.query(`UPDATE idempotency_keys SET expires_at = now() WHERE response -> 'body' ->> 'id' = $1`, [
      first.body.id,
    ]);
    await purge();
    expect((await post()).body.id).not.toBe(first.body.id);
  });

  it('as long as the customer, a bank or an operator takes, and 24 hours beyond', async () => {
    const key = randomUUID();
    const first = await checkOut(key, authenticated);
    expect([first.status, first.body.state]).toEqual([202, 'PENDING']);
    for (const state of ['WAITING', 'RUNNING', 'COMPENSATING', 'STUCK', 'WAITING']) {
      // Nobody is to carry it on while it is made to look so.
      await database.query(
        `UPDATE sagas SET state = $2, due_at = now() + interval '1 hour', updated_at = now() - interval '90 hours' WHERE id = $1`,
        [first.body.sagaId, state],
      );
      await database.query(`UPDATE idempotency_keys SET expires_at = now() - interval '66 hours' WHERE saga_id = $1`, [
        first.body.sagaId,
      ]);
      await purge();
      const kept = await database.query<{ isDue: boolean }>(
        `SELECT expires_at < now() AS "isDue" FROM idempotency_keys WHERE saga_id = $1`,
        [first.body.sagaId],
      );
      expect(kept).toEqual([{ isDue: false }]); // and is not looked at again and again
    }
    expect(await retry(first, key, authenticated)).toBe('same');

    await fetch(`${first.body.nextAction.url}/approve`, { method: 'POST' });
    await eventually('the end of the saga', async () => {
      const [saga] = await database.query<{ state: string }>('SELECT state FROM sagas WHERE id = $1', [
        first.body.sagaId,
      ]);
      return saga?.state === 'COMPLETED' || undefined;
    });
    await age(first, 48, 23);
    await purge();
    expect(await retry(first, key, authenticated)).toBe('same');
    await age(first, 48, 25);
    await purge();
    expect(await retry(first, key, authenticated)).toBe('another');
  });

  it('24 hours where the saga itself is gone', async () => {
    const key = randomUUID();
    const first = await checkOut(key);
    await database.query('DELETE FROM sagas WHERE id = $1', [first.body.sagaId]);
    await purge();
    expect((await checkOut(key)).body.code).toBe('IDEMPOTENCY_IN_PROGRESS'); // what became of it, nobody can say
    await database.query(`UPDATE idempotency_keys SET expires_at = now() WHERE saga_id = $1`, [first.body.sagaId]);
    await purge();
    expect(await retry(first, key)).toBe('another');
  });

  it('of a great many, what is due goes in batches, on two instances at once, and the rest stays', async () => {
    await database.query(
      `INSERT INTO idempotency_keys (id, scoped_to, fingerprint, saga_id, locked_until, expires_at)
       SELECT sha256(number::text::bytea), 'client', '', CASE number % 3 WHEN 0 THEN gen_random_uuid() END, now(),
         now() + (CASE WHEN number <= 21000 THEN -1 ELSE 1 END) * interval '1 hour' FROM generate_series(1, 42000) AS number`,
    );
    await Promise.all([purge(one), purge(two)]);
    await purge(one); // what the one had skipped when the other ended
    const left = await database.query<{ isDue: boolean; count: number }>(
      `SELECT expires_at < now() AS "isDue", count(*)::int FROM idempotency_keys WHERE fingerprint = '' GROUP BY 1`,
    );
    expect(left).toEqual([{ isDue: false, count: 21_000 }]);
    await database.query('ANALYZE idempotency_keys');
    const plan = await database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM idempotency_keys WHERE expires_at < now() ORDER BY expires_at LIMIT 5000 FOR UPDATE SKIP LOCKED`,
    );
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('idempotency_keys_expiring');
  });
});
