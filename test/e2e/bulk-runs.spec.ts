import { randomUUID } from 'node:crypto';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { setFaults, stuckCancellation } from '../setup/outages.js';
import { checkOut, orderOf, shelve } from '../setup/shop.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const admin = { key: 'admin' } as const;
const LEASE_MS = 2_000;

interface Run {
  readonly id: string;
  readonly state: string;
  readonly total: number;
  readonly done: number;
  readonly refused: number;
  readonly failed: number;
  readonly owner: string | null;
  readonly preview: { readonly summary: string; readonly sample: readonly { summary: string }[] };
}

describe('a bulk run', () => {
  let database: TestDatabase;
  let shop: AppProcess;
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startAppProcess({
      DATABASE_URL: database.url,
      SAGA_LEASE_MS: String(LEASE_MS),
      SAGA_BACKOFF_FACTOR: '0.001',
      LOG_LEVEL: 'fatal',
      ...more,
    });
  beforeAll(async () => {
    database = await createTestDatabase();
    shop = await start();
    for (const sku of ['concert', 'mug', 'vase']) await shelve(shop.api, sku, 1_000, 1_999);
  });
  afterAll(async () => {
    await shop.stop('SIGKILL');
    await database.drop();
  });

  const plan = (body: object, idempotencyKey: string = randomUUID()) =>
    shop.api.post('/v1/bulk-runs', { reason: 'the concert is off', ...body }, { ...admin, idempotencyKey });
  const verb = async (id: string, name: 'start' | 'stop', { api }: AppProcess = shop) =>
    (await api.post(`/v1/bulk-runs/${id}/${name}`, { reason: 'go' }, admin)).body;
  const runOf = async (id: string): Promise<Run> => (await shop.api.get(`/v1/bulk-runs/${id}`, admin)).body;
  const itemsOf = async (id: string, query = '') =>
    (await shop.api.get(`/v1/bulk-runs/${id}/items?limit=500${query}`, admin)).body.items;
  const reaches = (id: string, state: string) =>
    eventually(`run ${id} is ${state}`, () => runOf(id), { until: (run) => run.state === state });
  const buy = (sku: string, count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, async () => (await checkOut(shop.api, sku)).body.id as string));

  it('says what it would do before it does anything, does exactly that, and is refused by what has moved on', async () => {
    const orders = await buy('mug', 4);
    const key = randomUUID();
    const body = { action: 'refund-orders', filter: { sku: 'mug' }, perSecond: 50 };
    const { status, body: planned } = await plan(body, key);
    expect(status).toBe(201);
    expect(planned).toMatchObject({
      state: 'PLANNED',
      total: 4,
      isTruncated: false,
      preview: {
        summary: 'refunds 79.96 EUR',
        effects: [{ kind: 'refund', amount: 7_996, currency: 'EUR', count: 4 }],
      },
    });
    expect(planned.preview.sample).toHaveLength(4);
    expect((await plan(body, key)).body.id).toBe(planned.id);
    await buy('mug', 1); // bought after the plan: it is not touched
    await shop.api.post(`/v1/orders/${orders[0]}/refunds`, { reason: 'meanwhile' }, admin);
    expect((await orderOf(shop.api, orders[1]!)).payment.refundedAmount).toBe(0);

    expect(await verb(planned.id, 'start')).toMatchObject({ state: 'RUNNING' });
    expect(await reaches(planned.id, 'COMPLETED')).toMatchObject({ total: 4, done: 3, refused: 1, failed: 0 });
    const [refused] = await itemsOf(planned.id, '&state=REFUSED');
    expect(refused).toMatchObject({ subject: orders[0], result: expect.stringMatching(/captured|refunded/) });
    const refunded = await eventually('the refunds are settled', async () => {
      const all = await Promise.all(orders.map((id) => orderOf(shop.api, id)));
      return all.every(({ payment }) => payment.state === 'REFUNDED') && all;
    });
    expect(refunded).toHaveLength(4);
    const { items } = (await shop.api.get(`/v1/operator-actions?runId=${planned.id}`, admin)).body;
    expect(items.map(({ verb: name, reason }: any) => [name, reason])).toEqual(
      Array.from({ length: 3 }, () => ['refund', 'the concert is off']),
    );
    expect(await violations(database)).toEqual({});
  });

  it('retries what is stuck, at its rate, stops when it is told to, and goes on', async () => {
    const stuck = await Promise.all(Array.from({ length: 5 }, () => stuckCancellation(shop.api, 'vase')));
    await setFaults(shop.api);
    const filter = { name: 'cancel-order', step: 'return-payment', direction: 'on' };
    const { body: run } = await plan({ action: 'retry-sagas', filter, perSecond: 1 });
    expect(run).toMatchObject({
      total: 5,
      preview: { summary: 'refunds 99.95 EUR, puts 5 × vase back into stock, cancels 5 orders' },
    });
    await verb(run.id, 'start');
    await eventually('one is done', () => runOf(run.id), { until: ({ done }) => done > 0 });
    const stopped = await verb(run.id, 'stop');
    expect(stopped.state).toBe('STOPPED');
    expect(stopped.done).toBeLessThan(5);
    const pending = await itemsOf(run.id, '&state=PENDING');
    expect(pending.length).toBeGreaterThan(0);
    const sagas = (await shop.api.get('/v1/sagas?state=STUCK', admin)).body.items;
    expect(sagas.length).toBeGreaterThanOrEqual(pending.length);

    await verb(run.id, 'start');
    expect(await reaches(run.id, 'COMPLETED')).toMatchObject({ done: 5, refused: 0, failed: 0 });
    const [first, last] = await database.query<{ at: Date }>(
      `SELECT at FROM bulk_items WHERE run_id = $1 AND position IN (0, 4) ORDER BY position`,
      [run.id],
    );
    expect(last!.at.getTime() - first!.at.getTime()).toBeGreaterThan(2_500); // five at one a second
    for (const { orderId } of stuck)
      await eventually('it is cancelled', async () => (await orderOf(shop.api, orderId)).state === 'CANCELLED');
    expect((await shop.api.get('/v1/attention', admin)).body.count).toBe(0);
    expect(await violations(database)).toEqual({});
  });

  it('survives the instance that drives it, and acts on everything once', async () => {
    const orders = await buy('concert', 30);
    const { body: run } = await plan({ action: 'cancel-orders', filter: { sku: 'concert' }, perSecond: 10 });
    expect(run.preview.summary).toBe('refunds 599.70 EUR, puts 30 × concert back into stock, cancels 30 orders');
    // Dies between the effect of its fourth item and the record of it.
    const victim = await start({ FAULT_POINT: 'after-item:bulk-run#4=kill' });
    await verb(run.id, 'start', victim);
    await victim.exited();
    expect(await itemsOf(run.id, '&state=BEGUN')).toHaveLength(1);
    expect(await reaches(run.id, 'COMPLETED')).toMatchObject({ total: 30, done: 30, refused: 0, failed: 0 });
    for (const id of orders)
      await eventually('it is cancelled', async () => (await orderOf(shop.api, id)).state === 'CANCELLED');
    const actions = await database.query<{ subject: string; count: number }>(
      `SELECT subject, count(*)::int AS count FROM operator_actions WHERE run_id = $1 GROUP BY subject`,
      [run.id],
    );
    expect(actions).toHaveLength(30);
    expect(actions.every(({ count }) => count === 1)).toBe(true);
    expect(await violations(database)).toEqual({});
  });

  it('refuses what makes no sense', async () => {
    const codes = await Promise.all(
      [
        { action: 'cancel-orders' },
        { action: 'retry-sagas', filter: { sku: 'mug' } },
        { action: 'retry-sagas', perSecond: 1_000 },
        { action: 'explode' },
      ].map(async (body) => (await plan(body)).body.code),
    );
    expect(codes).toEqual(Array.from({ length: 4 }, () => 'VALIDATION_FAILED'));
    const { body: empty } = await plan({ action: 'replay-callbacks' });
    expect(empty).toMatchObject({ total: 0, preview: { summary: 'touches nothing' } });
    expect(await verb(empty.id, 'stop')).toMatchObject({ state: 'DISCARDED' });
    expect(await verb(empty.id, 'start')).toMatchObject({ code: 'INVALID_STATE', state: 'DISCARDED' });
    expect(await verb(randomUUID(), 'start')).toMatchObject({ code: 'BULK_RUN_NOT_FOUND' });
    const { body: old } = await plan({ action: 'replay-callbacks' });
    await database.query(`UPDATE bulk_runs SET created_at = now() - interval '1 hour' WHERE id = $1`, [old.id]);
    expect(await verb(old.id, 'start')).toMatchObject({
      code: 'INVALID_STATE',
      detail: expect.stringMatching(/too old/),
    });
  });
});
