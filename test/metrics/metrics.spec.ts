import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../setup/eventually.js';
import { KEYS } from '../setup/app-process.js';
import { startTestApp, TestApp } from '../setup/test-app.js';
import { parseMetrics, Sample, valueOf } from './prometheus-text.js';

const METHODS = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_chargeDeclined',
  'pm_card_chargeDeclinedInsufficientFunds',
  'pm_sandbox_error',
  'pm_sandbox_timeout_after_charge',
];

describe('metrics after a mixed run', () => {
  let test: TestApp;
  const scrape = async () => parseMetrics((await test.api.get('/metrics', { key: 'admin' })).body as string);

  beforeAll(async () => {
    test = await startTestApp({ GATEWAY_TIMEOUT_MS: '1000', RESERVATION_SWEEP_SECONDS: '1' });
    await mixedRun(test);
  });
  afterAll(() => test.close());

  it('needs the admin key', async () => {
    expect((await test.api.get('/metrics', { key: 'none' })).status).toBe(401);
    expect((await test.api.get('/metrics', { key: 'storefront' })).status).toBe(403);
    const answer = await test.api.get('/metrics', { key: 'admin' });
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  });

  it('takes the key as Prometheus sends it, which other routes do not', async () => {
    const bearer = (key: string) => ({ key: 'none', headers: { authorization: `Bearer ${key}` } }) as const;
    expect((await test.api.get('/metrics', bearer(KEYS.ADMIN_API_KEY))).status).toBe(200);
    expect((await test.api.get('/metrics', bearer(KEYS.STOREFRONT_API_KEY))).status).toBe(403);
    expect((await test.api.get('/metrics', bearer('x'))).status).toBe(401);
    expect((await test.api.get('/v1/sagas', bearer(KEYS.ADMIN_API_KEY))).status).toBe(401);
  });

  it('says the same as the database, state by state', async () => {
    for (const [metric, table] of [
      ['orders_by_state', 'orders'],
      ['payments_by_state', 'payments'],
      ['refunds_by_state', 'refunds'],
      ['reservations_by_state', 'reservations'],
      ['sagas_by_state', 'sagas'],
    ] as const) {
      const compare = async () => {
        const samples = (await scrape()).filter(({ name }) => name === metric);
        const rows = await test.database.query<{ labels: string; count: number }>(
          `SELECT ${table === 'sagas' ? `name || '/' || state` : 'state'} AS labels, count(*)::int AS count FROM ${table} GROUP BY 1`,
        );
        const shown = Object.fromEntries(
          samples
            .filter(({ value }) => value > 0)
            .map(({ labels, value }) => [
              labels['saga'] ? `${labels['saga']}/${labels['state']}` : labels['state'],
              value,
            ]),
        );
        return { shown, stored: Object.fromEntries(rows.map(({ labels, count }) => [labels, count])) };
      };
      await eventually(`${metric} agrees with the database`, compare, { until: areEqual });
    }
    expect(valueOf(await scrape(), 'orders_by_state', { state: 'PENDING' })).toBe(0);
  });

  it('counts every checkout once, by what it came to', async () => {
    const rows = await test.database.query<{ outcome: string; count: number }>(
      `SELECT coalesce(rejection->>'code', 'confirmed') AS outcome, count(*)::int AS count FROM orders GROUP BY 1`,
    );
    const stored = Object.fromEntries(
      rows.map(({ outcome, count }) => [outcome === 'PAYMENT_DECLINED' ? 'declined' : outcome.toLowerCase(), count]),
    );
    const compare = async () => {
      const samples = await scrape();
      const counted = samples.filter(({ name, value }) => name === 'checkouts_total' && value > 0);
      const timed = samples.filter(({ name }) => name === 'checkout_duration_seconds_count');
      const shown = { counted: byLabel(counted, 'outcome'), timed: byLabel(timed, 'outcome') };
      return { shown, stored: { counted: stored, timed: stored } };
    };
    await eventually('all are counted', compare, { until: areEqual });
    expect(Object.keys(stored).sort()).toEqual(['confirmed', 'declined', 'out_of_stock']);
  });

  it('counts what is held, expired and not published', async () => {
    const compare = async () => {
      const samples = await scrape();
      const [db] = await test.database.query<{ expired: number; unpublished: number }>(
        `SELECT (SELECT count(*)::int FROM reservations WHERE state = 'EXPIRED') AS expired,
                (SELECT count(*)::int FROM outbox_queue) AS unpublished`,
      );
      const shown = {
        expired: valueOf(samples, 'reservations_expired_total'),
        unpublished: valueOf(samples, 'outbox_unpublished'),
      };
      return { shown, stored: db };
    };
    const { stored } = await eventually('all are counted', compare, {
      until: (both) => areEqual(both) && both.stored?.expired === 1,
    });
    expect(stored).toMatchObject({ expired: 1 });
  });

  it('measures requests by route pattern and class of status', async () => {
    const samples = await scrape();
    const count = (labels: Record<string, string>) => valueOf(samples, 'http_request_duration_seconds_count', labels);
    const [db] = await test.database.query<{ confirmed: number }>(
      `SELECT count(*)::int AS confirmed FROM orders WHERE state <> 'REJECTED'`,
    );
    expect(count({ method: 'POST', route: '/v1/checkouts', status: '2xx' })).toBe(db!.confirmed);
    expect(count({ method: 'GET', route: '/v1/orders/:id', status: '4xx' })).toBe(1);
    expect(count({ method: 'GET', route: 'unmatched', status: '4xx' })).toBe(1);
  });

  it('shows the pool and the runtime', async () => {
    const samples = await scrape();
    expect(valueOf(samples, 'pg_pool_limit')).toBe(16);
    expect(valueOf(samples, 'pg_pool_waiting')).toBe(0);
    expect(valueOf(samples, 'pg_pool_connections', { state: 'idle' })).toBeGreaterThan(0);
    expect(valueOf(samples, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(0);
    expect(samples.some(({ name }) => name === 'nodejs_eventloop_lag_p99_seconds')).toBe(true);
  });
});

describe('METRICS_PUBLIC', () => {
  it('opens the metrics, and nothing else', async () => {
    const test = await startTestApp({ METRICS_PUBLIC: 'true' });
    try {
      expect((await test.api.get('/metrics', { key: 'none' })).status).toBe(200);
      expect((await test.api.get('/v1/locks', { key: 'none' })).status).toBe(401);
    } finally {
      await test.close();
    }
  });
});

/** Confirmed, declined, sold out, in doubt, held, released, expired, refunded and cancelled. */
async function mixedRun({ api, database }: TestApp): Promise<void> {
  const sku = (id: string, onHand: number) =>
    api.put(`/v1/skus/${id}`, { name: id, unitAmount: 500, currency: 'EUR', onHand });
  await Promise.all([sku('plenty', 1_000), sku('scarce', 2)]);
  const buy = (id: string, method = 'pm_card_visa') =>
    api.post('/v1/checkouts', { currency: 'EUR', lines: [{ sku: id, quantity: 1 }], payment: { method } });
  const bought = await Promise.all([
    ...METHODS.map((method) => buy('plenty', method)),
    ...Array.from({ length: 5 }, () => buy('scarce')),
  ]);
  const orders = bought.filter(({ status }) => status === 201).map(({ body }) => body.id as string);
  await api.post(`/v1/orders/${orders[0]}/cancel`, {}, { key: 'admin' });
  await api.post(`/v1/orders/${orders[1]}/refunds`, { amount: 100, reason: 'a scratch' }, { key: 'admin' });
  const hold = () => api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku: 'plenty', quantity: 2 }] });
  const [, released, expiring] = await Promise.all([hold(), hold(), hold()]);
  await api.delete(`/v1/reservations/${released.body.id}`, {
    headers: { 'x-access-token': released.body.accessToken },
  });
  await database.query(`UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    expiring.body.id,
  ]);
  await api.get(`/v1/orders/${randomUUID()}`);
  await api.get('/nowhere/at/all');
}

function byLabel(samples: readonly Sample[], label: string): Record<string, number> {
  return Object.fromEntries(samples.map(({ labels, value }) => [labels[label] ?? '', value]));
}

/** Readings of the database are up to five seconds old. */
function areEqual({ shown, stored }: { shown: unknown; stored: unknown }): boolean {
  return isDeepStrictEqual(shown, stored);
}
