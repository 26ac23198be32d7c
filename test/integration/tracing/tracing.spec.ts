import { type Collector, type CollectedSpan, newTraceparent, startCollector } from '../../setup/otlp-collector.js';
import { basket, newSku, orderEnded, timelineOf } from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { type Receiver, startReceiver } from '../events/receiver.js';

const admin = { key: 'admin' } as const;

describe('the trace of a checkout', () => {
  let collector: Collector;
  let receiver: Receiver;
  let app: TestApp;
  beforeAll(async () => {
    [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
    app = await startTestApp({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collect',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      TRACE_URL: 'https://traces.example/{traceId}',
      WEBHOOK_ALLOWED_HOSTS: receiver.host,
      SANDBOX_AUTHENTICATION_MS: '50',
    });
    await app.api.post('/v1/webhook-endpoints', { url: receiver.url, events: ['*'] }, admin);
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([collector.close(), receiver.close()]);
  });

  async function buy(method: string, { traceparent }: { traceparent: string }, more: object = {}) {
    const sku = await newSku(app.api);
    return app.api.post('/v1/checkouts', basket(sku, { payment: { method }, ...more }), {
      headers: { traceparent, prefer: 'wait=25' },
    });
  }

  it('goes from the storefront through intake, commits and the call to the webhook', async () => {
    const storefront = newTraceparent();
    expect((await buy('pm_card_visa', storefront)).status).toBe(201);
    const spans = await collector.until(storefront.traceId, ['saga checkout', 'webhook order.confirmed']);

    const request = theOnly(spans, 'POST /v1/checkouts');
    expect(request).toMatchObject({ kind: 2, parentSpanId: storefront.spanId, isError: false });
    expect(request.attributes).toMatchObject({ 'http.response.status_code': 201, 'checkout.client': 'storefront' });
    expect(theOnly(spans, 'intake').parentSpanId).toBe(request.spanId);
    const saga = theOnly(spans, 'saga checkout');
    expect(saga.parentSpanId).toBe(request.spanId);
    expect(childrenOf(spans, saga, 'call process-payment')).toEqual([expect.objectContaining({ kind: 3 })]);
    const commits = childrenOf(spans, saga, 'commit');
    expect(commits.map((commit) => stepsIn(spans, commit))).toEqual([
      ['step create-order', 'step reserve-inventory', 'step process-payment'],
      ['record process-payment', 'step confirm-order'],
    ]);
    for (const span of spans) {
      expect(span.to).toBeGreaterThanOrEqual(span.from);
      if (span !== request && !span.name.startsWith('webhook')) expect(saga.from - 2).toBeLessThan(span.to);
    }
  });

  it('is carried on by whoever receives its webhooks', async () => {
    const storefront = newTraceparent();
    const { body } = await buy('pm_card_visa', storefront);
    const spans = await collector.until(storefront.traceId, ['webhook payment.captured', 'webhook order.confirmed']);
    const sent = spans.filter(({ name }) => name.startsWith('webhook ')).map(toTraceparent);
    await receiver.until(() => receiver.of(body.id).length === 2);
    expect(
      receiver
        .of(body.id)
        .map(({ headers }) => headers['traceparent'])
        .sort(),
    ).toEqual(sent.sort());
    const saga = theOnly(await collector.until(storefront.traceId, ['saga checkout']), 'saga checkout');
    for (const span of spans.filter(({ name }) => name.startsWith('webhook '))) {
      expect(span).toMatchObject({ kind: 3, parentSpanId: saga.spanId });
      expect(span.attributes['http.response.status_code']).toBe(204);
    }
    expect(receiver.of(body.id).some(({ raw }) => raw.includes(storefront.traceId))).toBe(false);
  });

  it('shows a decline with its compensations, and is named by the problem, the timeline and the console', async () => {
    const storefront = newTraceparent();
    const { traceId } = storefront;
    const { status, body } = await buy('pm_card_chargeDeclined', storefront);
    expect([status, body.traceId]).toEqual([402, traceId]);
    const spans = await collector.until(traceId, ['saga checkout', 'compensate create-order']);
    const [, second] = childrenOf(spans, theOnly(spans, 'saga checkout'), 'commit');
    expect(stepsIn(spans, second!)).toEqual([
      'record process-payment',
      'compensate reserve-inventory',
      'compensate create-order',
    ]);
    expect(theOnly(spans, 'record process-payment')).toMatchObject({
      attributes: { 'saga.result': 'failed', 'saga.error': 'PAYMENT_DECLINED' },
      isError: false, // an outcome, not a fault
    });
    expect(theOnly(spans, 'saga checkout').attributes).toMatchObject({
      'saga.subject': body.orderId,
      'saga.state': 'COMPENSATED',
    });

    const timeline = await timelineOf(app.api, body.orderId);
    expect(timeline.filter(({ kind }) => kind.startsWith('saga.'))).not.toEqual([]);
    expect(timeline.every((item) => (item as { traceId?: string }).traceId === traceId)).toBe(true);
    const { body: dossier } = await app.api.get(`/v1/orders/${body.orderId}/dossier`, admin);
    expect(dossier).toMatchObject({ traceId, traceUrl: `https://traces.example/${traceId}` });
    expect(dossier.sagas[0]).toMatchObject({ traceId });
    expect(JSON.stringify(dossier.sagas[0].log)).not.toContain(traceId);
  });

  it('goes on when a callback wakes it, with a link to the request that brought the callback', async () => {
    const storefront = newTraceparent();
    const { status, body } = await buy('pm_card_authenticationRequired', storefront);
    expect(status).toBe(202);
    expect((await orderEnded(app.api, body.id)).state).toBe('CONFIRMED');
    const spans = await collector.until(storefront.traceId, ['saga checkout', 'callback charge.captured', 'wait']);
    const saga = theOnly(spans, 'saga checkout');
    const callback = theOnly(spans, 'callback charge.captured');
    expect(callback).toMatchObject({ kind: 5, parentSpanId: saga.spanId });
    const [link] = callback.links;
    const [request] = await collector.until(link!.traceId, ['POST /v1/webhooks/:provider']);
    expect(request).toMatchObject({ kind: 2, traceId: link!.traceId, spanId: link!.spanId });
    expect(request!.traceId).not.toBe(storefront.traceId);
    expect(childrenOf(spans, saga, 'look up process-payment')).toHaveLength(1);
    expect(spans.filter(({ name }) => name === 'saga checkout')).toHaveLength(1);
  });

  it('of others shares its commits: the commit is a span with a link to each of them', async () => {
    const sku = await newSku(app.api, 1_000);
    const storefronts = Array.from({ length: 40 }, () => newTraceparent());
    const answers = await Promise.all(
      storefronts.map(({ traceparent }) =>
        app.api.post('/v1/checkouts', basket(sku), { headers: { traceparent, prefer: 'wait=25' } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(storefronts.map(() => 201));
    for (const { traceId } of storefronts) await collector.until(traceId, ['saga checkout']);
    const ours = new Set(storefronts.map(({ traceId }) => traceId));
    const groups = collector.spans.filter(
      ({ name, links }) => name === 'group commit' && links.some((link) => ours.has(link.traceId)),
    );
    expect(groups.length).toBeGreaterThan(0);
    for (const group of groups) {
      expect(group.attributes['saga.batch_size']).toBe(group.links.length);
      for (const link of group.links) {
        const spans = collector.of(link.traceId);
        expect(theOnly(spans, 'saga checkout').spanId).toBe(link.spanId);
        const commits = spans.filter(({ name }) => name === 'commit');
        expect(commits.flatMap(({ links }) => links)).toContainEqual({ traceId: group.traceId, spanId: group.spanId });
      }
    }
  });

  it('is not kept if its storefront does not keep it, and still has a name', async () => {
    const storefront = newTraceparent('00');
    const { body } = await buy('pm_card_chargeDeclined', storefront);
    expect(body.traceId).toBe(storefront.traceId);
    const kept = newTraceparent();
    await buy('pm_card_visa', kept);
    await collector.until(kept.traceId, ['saga checkout', 'webhook order.confirmed']);
    expect(collector.of(storefront.traceId)).toEqual([]);
  });

  it('begins here if nobody has begun it, and leaves probes and scrapes out', async () => {
    await app.api.get('/health/live');
    await app.api.get('/metrics', admin);
    const { body } = await buy('pm_card_chargeDeclined', { traceparent: 'nonsense' });
    expect(body.traceId).toMatch(/^[\da-f]{32}$/);
    const spans = await collector.until(body.traceId, ['POST /v1/checkouts', 'saga checkout']);
    expect(theOnly(spans, 'POST /v1/checkouts').parentSpanId).toBeUndefined();
    expect(collector.spans.filter(({ name }) => /health|metrics/.test(name))).toEqual([]);
  });

  it('says nothing about the customer, the card or a key', async () => {
    const storefront = newTraceparent();
    const customer = { id: 'customer-of-the-trace', email: 'ada.traced@example.com' };
    await buy('pm_card_visa', storefront, { customer, metadata: { gift: 'a secret wish' } });
    await collector.until(storefront.traceId, ['saga checkout', 'webhook order.confirmed']);
    const everything = JSON.stringify(collector.spans);
    for (const secret of [customer.id, customer.email, 'a secret wish', 'pm_card', 'key-for-tests'])
      expect(everything).not.toContain(secret);
  });

  it('is sent with the headers that the collector asks for', () => {
    expect(collector.requests.length).toBeGreaterThan(0);
    for (const headers of collector.requests) expect(headers.authorization).toBe('Bearer collect');
  });
});

function toTraceparent({ traceId, spanId }: CollectedSpan): string {
  return `00-${traceId}-${spanId}-01`;
}

function theOnly(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.filter((span) => span.name === name);
  expect(found.map((span) => span.name)).toEqual([name]);
  return found[0]!;
}

function childrenOf(spans: readonly CollectedSpan[], { spanId }: CollectedSpan, name?: string): CollectedSpan[] {
  return spans
    .filter((span) => span.parentSpanId === spanId && (name === undefined || span.name === name))
    .sort((a, b) => a.from - b.from);
}

/** As they were recorded, which is their order in the log: several end within a millisecond. */
function stepsIn(spans: readonly CollectedSpan[], { spanId }: CollectedSpan): string[] {
  return spans.filter((span) => span.parentSpanId === spanId).map(({ name }) => name);
}
