import { newTraceparent, startCollector } from '../../setup/otlp-collector.js';
import { basket, newSku, timelineOf } from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { eventually } from '../../setup/eventually.js';

describe('without tracing', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it('a traceparent is ignored, and nothing is stored or said of it', async () => {
    const { traceId, traceparent } = newTraceparent();
    const sku = await newSku(app.api);
    const { body } = await app.api.post(
      '/v1/checkouts',
      basket(sku, { payment: { method: 'pm_card_chargeDeclined' } }),
      { headers: { traceparent } },
    );
    expect(body.code).toBe('PAYMENT_DECLINED');
    expect(body.traceId).toBeUndefined();
    expect(JSON.stringify(await timelineOf(app.api, body.orderId))).not.toContain('traceId');
    const [row] = await app.database.query(
      `SELECT (SELECT count(*) FROM sagas WHERE log_lines LIKE $1)::int AS sagas,
         (SELECT count(*) FROM outbox WHERE trace IS NOT NULL)::int AS events`,
      [`%${traceId}%`],
    );
    expect(row).toEqual({ sagas: 0, events: 0 });
  });
});

describe('a collector that is away', () => {
  it('costs spans, never checkouts, and that is counted', async () => {
    const collector = await startCollector();
    const { url } = collector;
    await collector.close();
    const app = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '10' });
    try {
      const sku = await newSku(app.api);
      const { status } = await app.api.post('/v1/checkouts', basket(sku), { headers: { prefer: 'wait=25' } });
      expect(status).toBe(201);
      await eventually('failed exports are counted', async () => {
        const { body } = await app.api.get('/metrics', { key: 'admin' });
        return /^trace_spans_total\{outcome="failed"\} [1-9]/m.test(body as string);
      });
    } finally {
      await app.close();
    }
  });
});
