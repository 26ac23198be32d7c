import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { ReservationExpiryJob } from '../../../src/inventory/reservation/reservation-expiry.job.js';
import { eventually } from '../../setup/eventually.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { TestDatabase } from '../../setup/test-database.js';
import { runningMs, smallest } from '../../setup/timing.js';
import { newSku } from '../../setup/shop.js';
import { hold, stockOf, violations } from './inventory-fixture.js';

/** As if the service had been down while they ran out: holds of one unit, spread over the SKUs. */
async function abandon(database: TestDatabase, skus: readonly string[], count: number): Promise<void> {
  await database.query(
    `WITH made AS (
       INSERT INTO reservations (id, state, currency, total, expires_at)
       SELECT gen_random_uuid(), 'HELD', 'EUR', 1000, now() - interval '1 hour' FROM generate_series(1, $1) RETURNING id
     ), numbered AS (SELECT id, row_number() OVER () AS n FROM made)
     INSERT INTO reservation_lines (reservation_id, sku, name, quantity, unit_amount)
     SELECT id, ($2::text[])[n % $3 + 1], 'Name', 1, 1000 FROM numbered`,
    [count, skus, skus.length],
  );
  await database.query(`
    UPDATE skus SET reserved = held.units FROM (
      SELECT sku, sum(quantity)::int AS units FROM reservation_lines JOIN reservations ON id = reservation_id
      WHERE state = 'HELD' GROUP BY sku) AS held
    WHERE skus.sku = held.sku`);
}

describe('the clean-up of abandoned reservations', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ RESERVATION_SWEEP_SECONDS: '3600' });
    other = await startTestApp({ RESERVATION_SWEEP_SECONDS: '3600' }, test.database);
  });
  afterEach(async () => expect(await violations(test.database)).toEqual([]));
  afterAll(async () => {
    await other.close();
    await test.close();
  });

  const sweep = (at = test) => at.app.get(ReservationExpiryJob).run();

  it('frees what is over and nobody has pinned, and tells of it', async () => {
    const sku = await newSku(test.api, 10);
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) ids.push((await hold(test.api, [{ sku, quantity: 1 }])).body.id);
    const [over, ofOrder, pinned] = ids;
    const order = randomUUID();
    const set = (id: string | undefined, what: string) =>
      test.database.query(`UPDATE reservations SET ${what} WHERE id = $1`, [id]);
    for (const id of [over, ofOrder, pinned]) await set(id, `expires_at = now() - interval '1 s'`);
    await set(ofOrder, `order_id = '${order}'`);
    await set(pinned, `pinned_by = gen_random_uuid()`);

    expect(await sweep()).toBe(2);
    expect(await sweep()).toBe(0);
    expect((await stockOf(test.database, sku)).reserved).toBe(2);
    const events = await test.database.query<{ subject: string; payload: object }>(
      `SELECT subject, payload FROM outbox WHERE type = 'reservation.expired'`,
    );
    expect(new Set(events.map(({ subject }) => subject))).toEqual(new Set([over, order]));
    expect(events[0]?.payload).toMatchObject({ lines: [{ sku, quantity: 1 }] });
    const metric = await test.app.get(Metrics).registry.getSingleMetricAsString('reservations_expired_total');
    expect(metric).toContain('reservations_expired_total 2');
  });

  it('passes over what somebody is working on', async () => {
    const sku = await newSku(test.api, 10);
    const { body } = await hold(test.api, [{ sku, quantity: 1 }]);
    await test.database.query(`UPDATE reservations SET expires_at = now() WHERE id = $1`, [body.id]);
    const client = new pg.Client({ connectionString: test.database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM reservations WHERE id = $1 FOR UPDATE', [body.id]);
    expect(await sweep()).toBe(0);
    await client.query('ROLLBACK');
    await client.end();
    expect(await sweep()).toBe(1);
  });

  it('catches up with 10,000 in under 10 s, on two instances at once', async () => {
    const skus: string[] = [];
    for (let index = 0; index < 40; index += 1) skus.push(await newSku(test.api, 1_000));
    const overdue = async () => {
      const [row] = await test.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM reservations WHERE state = 'HELD' AND pinned_by IS NULL AND expires_at <= now()`,
      );
      return row?.count ?? 0;
    };
    const measure = async () => {
      await abandon(test.database, skus, 10_000);
      expect((await stockOf(test.database, skus[0]!)).reserved).toBe(250);
      const startedAt = runningMs();
      // A sweep ends where another one, also the job's own, is at work on the same holds: the next one goes on.
      const sweepAll = async (at: TestApp) => {
        while ((await overdue()) > 0) await sweep(at);
      };
      await Promise.all([sweepAll(test), sweepAll(other)]);
      const ms = runningMs() - startedAt;
      for (const sku of skus) expect((await stockOf(test.database, sku)).reserved).toBe(0);
      return ms;
    };
    expect(await smallest(10_000, measure)).toBeLessThan(10_000);
  });

  it('runs by itself, and ends with the application', async () => {
    const timed = await startTestApp({ RESERVATION_SWEEP_SECONDS: '1', RESERVATION_TTL_SECONDS: '1' }, test.database);
    const sku = await newSku(timed.api, 1);
    const { body } = await hold(timed.api, [{ sku, quantity: 1 }]);
    await eventually('it is free', () => stockOf(test.database, sku), { until: ({ reserved }) => reserved === 0 });
    expect((await timed.api.get(`/v1/reservations/${body.id}`, { key: 'admin' })).body.state).toBe('EXPIRED');
    expect((await hold(timed.api, [{ sku, quantity: 1 }])).status).toBe(201);
    await timed.close();
  });
});
