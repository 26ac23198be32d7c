import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ApiResponse } from '../setup/api-client.js';
import { eventually } from '../setup/eventually.js';
import { startTestApp, TestApp } from '../setup/test-app.js';
import { DemoCatalogue } from '../../src/inventory/sku/demo-catalogue.js';
import { ApiDocument, ApiOperation, Contract } from './openapi-document.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('the API description', () => {
  let test: TestApp;
  let document: ApiDocument;
  let contract: Contract;

  beforeAll(async () => {
    test = await startTestApp({ RESERVATION_SWEEP_SECONDS: '1' });
    await test.app.get(DemoCatalogue).seed();
    document = (await test.api.get('/openapi.json', { key: 'none' })).body as ApiDocument;
    contract = new Contract(document);
  });
  afterAll(() => test.close());

  const operations = () =>
    Object.entries(document.paths).flatMap(([route, item]) =>
      Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${route}`, operation })),
    );

  /** Sends, and checks the answer against the document. */
  const call = async (
    method: string,
    route: string,
    body?: unknown,
    options: { key?: 'admin' | 'storefront' | 'none'; token?: string; headers?: Record<string, string> } = {},
  ): Promise<ApiResponse> => {
    const headers = { ...(options.token && { 'x-access-token': options.token }), ...options.headers };
    const answer = await test.api.send(method, route, body, {
      headers,
      key: options.key ?? 'storefront',
      idempotencyKey: options.headers?.['idempotency-key'] ?? `k-${Math.random()}`,
    });
    contract.check(method, route, answer.status, answer.headers.get('content-type') ?? '', answer.body);
    return answer;
  };

  /** The sandbox calls back after the customer has approved. */
  const firstWebhookEvent = async (): Promise<{ id: string }> => {
    const look = async () => {
      const { body } = await call('GET', '/v1/webhook-events?limit=1', undefined, { key: 'admin' });
      return (body.items as { id: string }[])[0];
    };
    return eventually('the callback', look);
  };

  it('is the one in the repository (npm run openapi writes it)', () => {
    expect(JSON.parse(readFileSync(path.join(ROOT, 'openapi.json'), 'utf8'))).toEqual(document);
  });

  it('is what the client was generated from (npm run openapi)', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      path.join(ROOT, 'packages/client/scripts/generate.mjs'),
      '--check',
    ]);
    expect(stdout).toBe('');
  });

  it('passes the linter', async () => {
    const redocly = path.join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stderr } = await promisify(execFile)(process.execPath, [redocly, 'lint'], { cwd: ROOT, env });
    expect(stderr).toContain('Your API description is valid');
  });

  it('says of every operation what it is, who may call it, and what it answers', () => {
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const { name, operation } of operations()) {
      expect([name, operation.operationId]).toEqual([name, expect.stringMatching(/^[a-z][A-Za-z]+$/)]);
      expect([name, operation.summary]).toEqual([name, expect.stringMatching(/\w{3}/)]);
      expect([name, operation.description]).toEqual([name, expect.stringMatching(/\w{3}.*\.$/s)]);
      expect([name, operation.tags.every((tag) => tags.has(tag))]).toEqual([name, true]);
      expect([name, Array.isArray(operation.security)]).toEqual([name, true]);
      expect([name, hasGoodAnswer(operation)]).toEqual([name, true]);
      if (operation.security.length > 0) expect([name, '401' in operation.responses]).toEqual([name, true]);
    }
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has examples that work against the demo catalogue', async () => {
    const example = (schema: string) => (document.components.schemas[schema] as { example: unknown }).example;
    expect((await call('POST', '/v1/checkouts/quote', example('QuoteRequest'))).body.available).toBe(true);
    const order = await call('POST', '/v1/checkouts', example('CheckoutRequest'));
    expect(order.status).toBe(201);
    expect((await call('POST', '/v1/reservations', example('ReservationRequest'))).status).toBe(201);
    const admin = { key: 'admin' } as const;
    expect((await call('PUT', '/v1/skus/demo-mug', example('SkuRequest'), admin)).status).toBe(200);
    const adjusted = await call('POST', '/v1/skus/demo-mug/adjustments', example('AdjustmentRequest'), admin);
    expect(adjusted.status).toBe(201);
    expect((await call('POST', `/v1/orders/${order.body.id}/refunds`, example('RefundRequest'), admin)).status).toBe(
      201,
    );
    const manual = {
      ...(example('CheckoutRequest') as object),
      payment: { method: 'pm_card_visa', capture: 'manual' },
    };
    const { id } = (await call('POST', '/v1/checkouts', manual)).body;
    const captured = await call('POST', `/v1/orders/${id}/capture`, example('CaptureRequest'), admin);
    expect(captured.body.payment).toMatchObject({ state: 'CAPTURED', capturedAmount: 1_250 });
  });

  it('fits what is answered when it goes well', async () => {
    const admin = { key: 'admin' } as const;
    const lines = [{ sku: 'demo-mug', quantity: 1 }];
    const buy = (method: string, more = {}, headers = {}) =>
      call('POST', '/v1/checkouts', { currency: 'EUR', lines, payment: { method }, ...more }, { headers });
    await call('GET', '/v1/skus?group=demo&limit=2');
    await call('GET', '/v1/skus/demo-mug');
    await call('PUT', '/v1/skus/tote', { name: 'Tote', unitAmount: 1, currency: 'EUR', onHand: 3 }, admin);
    const held = await call('POST', '/v1/reservations', { currency: 'EUR', lines });
    const token = held.body.accessToken as string;
    const brief = await call('POST', '/v1/reservations', { currency: 'EUR', lines });
    await call('POST', '/v1/sandbox/expire', { reservationId: brief.body.id }, admin);
    await call('GET', `/v1/reservations/${held.body.id}`, undefined, { token });
    await call('POST', `/v1/reservations/${held.body.id}/extend`, { seconds: 60 }, { token });
    await call('PUT', `/v1/reservations/${held.body.id}/lines`, { lines }, { token });
    await call('DELETE', `/v1/reservations/${held.body.id}`, undefined, { token });
    const order = await buy('pm_card_visa', { customer: { id: 'c-1', email: 'ada@example.com' }, metadata: { a: 1 } });
    await call('GET', `/v1/orders/${order.body.id}`, undefined, { token: order.body.accessToken });
    await call('GET', `/v1/orders/${order.body.id}/timeline`, undefined, admin);
    await call('GET', '/v1/orders?limit=2', undefined, admin);
    expect((await call('POST', `/v1/orders/${order.body.id}/cancel`, undefined, admin)).body.state).toBe('CANCELLED');
    await call('GET', `/v1/orders/${order.body.id}/events`, undefined, { token: order.body.accessToken });
    expect((await buy('pm_sandbox_slow', {}, { prefer: 'respond-async' })).status).toBe(202);
    const waiting = await buy('pm_card_authenticationRequired');
    expect(waiting.body.nextAction.type).toBe('redirect_to_url');
    const page = new URL(waiting.body.nextAction.url as string).pathname;
    await call('GET', page, undefined, { key: 'none' });
    await call('POST', `${page}/approve`, undefined, { key: 'none' });
    const event = await firstWebhookEvent();
    await call('POST', `/v1/webhook-events/${event.id}/replay`, undefined, admin);
    await call('GET', `/v1/sagas/${order.body.sagaId}`, undefined, admin);
    await call('GET', '/v1/sagas?limit=3', undefined, admin);
    await call('GET', '/v1/locks', undefined, admin);
    const letters = await test.database.query<{ id: string }>(
      `INSERT INTO dead_letters (id, source, message_id, body, code, reason, deliveries)
       SELECT gen_random_uuid(), name, name, $1, 'LOCK_TIMEOUT', 'The resource is busy', 10 FROM unnest(ARRAY['a', 'b']) AS name
       RETURNING id`,
      [JSON.stringify({ currency: 'EUR', lines, payment: { method: 'pm_card_visa' } })],
    );
    await call('GET', '/v1/dead-letters?limit=1', undefined, admin);
    await call('GET', `/v1/dead-letters/${letters[0]!.id}`, undefined, admin);
    const retried = await call('POST', `/v1/dead-letters/${letters[0]!.id}/retry`, undefined, admin);
    expect(retried.body).toMatchObject({ state: 'RETRIED', orderId: expect.any(String) });
    await call('POST', `/v1/dead-letters/${letters[1]!.id}/discard`, undefined, admin);
    expect((await call('GET', '/v1/invariants', undefined, admin)).body.ok).toBe(true);
    const erased = await call('POST', '/v1/customers/nobody/erase', { reason: 'asked for it' }, admin);
    expect(erased.body).toMatchObject({ orders: 0, openOrders: 0 });
    await call('GET', `/v1/sandbox/charges?orderId=${order.body.id}`, undefined, admin);
    await call('GET', '/v1/sandbox/faults', undefined, admin);
    await call('PUT', '/v1/sandbox/faults', {}, admin);
    const hook = { url: 'https://shop.example.com/hooks', events: ['saga.stuck'] };
    const endpoint = `/v1/webhook-endpoints/${(await call('POST', '/v1/webhook-endpoints', hook, admin)).body.id}`;
    await call('GET', '/v1/webhook-endpoints', undefined, admin);
    await call('GET', endpoint, undefined, admin);
    for (const verb of ['rotate-secret', 'disable', 'enable'])
      await call('POST', `${endpoint}/${verb}`, undefined, admin);
    await call('GET', `${endpoint}/deliveries`, undefined, admin);
    await call('POST', `${endpoint}/deliveries/${order.body.id}/replay`, undefined, admin);
    await call('DELETE', endpoint, undefined, admin);
    await call('GET', '/metrics', undefined, admin);
    await call('GET', '/', undefined, { key: 'none' });
    await call('GET', '/health/live', undefined, { key: 'none' });
    await call('GET', '/health/ready', undefined, { key: 'none' });
  });

  it('fits what an operator is shown, and what a bulk run answers', async () => {
    const admin = { key: 'admin' } as const;
    const lines = [{ sku: 'demo-mug', quantity: 1 }];
    const order = await call('POST', '/v1/checkouts', { currency: 'EUR', lines, payment: { method: 'pm_card_visa' } });
    await test.database.query(
      `INSERT INTO dead_letters (id, source, message_id, body, code, reason, deliveries)
       VALUES (gen_random_uuid(), 'c', 'c', '{}', 'LOCK_TIMEOUT', 'The resource is busy', 10)`,
    );
    expect((await call('GET', '/v1/attention', undefined, admin)).body.count).toBeGreaterThan(0);
    const dossier = await call('GET', `/v1/orders/${order.body.id}/dossier`, undefined, admin);
    expect(dossier.body.verbs).toHaveLength(2);
    await call('GET', `/v1/orders/${order.body.id}/comparison`, undefined, admin);
    await call('GET', '/v1/differences', undefined, admin);
    expect((await call('GET', `/v1/search?q=${order.body.id}`, undefined, admin)).body.items).toHaveLength(1);
    const overview = await call('GET', '/v1/overview', undefined, admin);
    expect(overview.body.instances.length).toBeGreaterThan(0);
    await call('GET', '/v1/hot-skus', undefined, admin);
    await call('GET', '/v1/invariants/history?limit=3', undefined, admin);
    const plan = { action: 'discard-dead-letters', filter: { code: 'LOCK_TIMEOUT' }, reason: 'a test', perSecond: 50 };
    const run = await call('POST', '/v1/bulk-runs', plan, admin);
    expect(run.body).toMatchObject({ state: 'PLANNED', total: 1 });
    const path = `/v1/bulk-runs/${run.body.id as string}`;
    expect((await call('POST', `${path}/start`, { reason: 'go' }, admin)).status).toBe(200);
    await eventually('it is completed', async () => (await call('GET', path, undefined, admin)).body, {
      until: ({ state }) => state === 'COMPLETED',
    });
    expect((await call('GET', `${path}/items`, undefined, admin)).body.items).toMatchObject([{ state: 'DONE' }]);
    expect((await call('POST', `${path}/stop`, undefined, admin)).body.code).toBe('INVALID_STATE');
    await call('GET', '/v1/bulk-runs?state=COMPLETED', undefined, admin);
    const actions = await call('GET', `/v1/operator-actions?runId=${run.body.id as string}`, undefined, admin);
    expect(actions.body.items).toMatchObject([{ verb: 'discard', subjectKind: 'dead-letter' }]);
  });

  it('fits what a sale answers', async () => {
    const admin = { key: 'admin' } as const;
    const example = (schema: string) => (document.components.schemas[schema] as { example: object }).example;
    const verb = (name: string) => call('POST', `/v1/sales/noon/${name}`, undefined, admin);
    const terms = { ...example('SaleRequest'), group: 'a-hall' };
    expect((await call('PUT', '/v1/sales/noon', terms, admin)).status).toBe(201);
    expect((await call('PUT', '/v1/sales/noon', terms, admin)).status).toBe(200);
    const ticket = await call('POST', '/v1/sales/noon/tickets', example('SaleTicketRequest'));
    expect(ticket.status).toBe(201);
    const again = await call('POST', '/v1/sales/noon/tickets', example('SaleTicketRequest'));
    expect(again.body.code).toBe('LIMIT_EXCEEDED');
    const headers = { 'x-sale-ticket': ticket.body.token as string };
    const path = `/v1/sales/noon/tickets/${ticket.body.id as string}`;
    expect((await call('GET', path, undefined, { headers })).status).toBe(200);
    expect((await call('GET', path)).body.code).toBe('SALE_NOT_FOUND');
    for (const name of ['pause', 'resume', 'end']) expect((await verb(name)).status).toBe(200);
    expect((await verb('end')).body.code).toBe('INVALID_STATE');
    expect((await call('GET', '/v1/sales/noon', undefined, admin)).body.audit).toHaveLength(5);
    expect((await call('GET', '/v1/sales', undefined, admin)).body.items).toHaveLength(1);
    await call('POST', '/v1/sandbox/drops');
    // The ticket has ended with its sale, and so does its stream.
    const events = await call('GET', ticket.body.eventsUrl.slice(test.url.length) as string, undefined, {
      key: 'none',
    });
    expect(events.body).toMatch(/"state":"(EXPIRED|SOLD_OUT)"/);
    expect((await call('GET', '/v1/skus/events')).body.code).toBe('VALIDATION_FAILED');
  });

  it('fits what coupons, accounts and gift cards answer', async () => {
    const admin = { key: 'admin' } as const;
    const lines = [{ sku: 'demo-mug', quantity: 1 }];
    const example = (schema: string) => (document.components.schemas[schema] as { example: object }).example;
    expect((await call('PUT', '/v1/coupons/SAVE10', example('CouponRequest'), admin)).status).toBe(201);
    expect((await call('PUT', '/v1/coupons/SAVE10', { percentOff: 10, maxRedemptions: 1 }, admin)).status).toBe(200);
    await call('POST', '/v1/checkouts/quote', { currency: 'EUR', lines, coupons: ['SAVE10'] });
    const held = await call('POST', '/v1/reservations', { currency: 'EUR', lines, coupons: ['SAVE10'] });
    expect(held.body.totals).toHaveLength(2);
    expect((await call('GET', '/v1/coupons/SAVE10', undefined, admin)).body.held).toBe(1);
    const buy = (more: object, options = {}) =>
      call('POST', '/v1/checkouts', { currency: 'EUR', lines, payment: { method: 'pm_card_visa' }, ...more }, options);
    const codes = [
      await buy({ coupons: ['SAVE10'] }),
      await buy({ coupons: ['NO-SUCH'] }),
      await buy({ payment: { credit: [{ giftCardCode: 'nonsense' }] } }),
    ].map(({ body }) => body.code as string | undefined);
    expect(codes).toEqual(['COUPON_EXHAUSTED', 'COUPON_NOT_FOUND', 'ACCOUNT_NOT_FOUND']);
    await call('PUT', '/v1/coupons/SAVE10', { percentOff: 10, currency: 'USD' }, admin);
    expect((await buy({ coupons: ['SAVE10'] })).body.code).toBe('COUPON_NOT_APPLICABLE');
    expect((await call('PUT', '/v1/accounts/credit-ada', example('AccountRequest'), admin)).status).toBe(201);
    expect((await call('PUT', '/v1/accounts/credit-ada', example('AccountRequest'), admin)).status).toBe(200);
    const entry = (body: object) => call('POST', '/v1/accounts/credit-ada/entries', body, admin);
    expect((await entry(example('AccountEntryRequest'))).status).toBe(201);
    expect((await entry({ amount: -9_999, reason: 'greed' })).body.code).toBe('INSUFFICIENT_CREDIT');
    const paid = await buy({ payment: { credit: [{ accountId: 'credit-ada' }] } }, admin);
    expect(paid.body).toMatchObject({ amountDue: 0, payment: { method: null } });
    const refund = { reason: 'goodwill', to: 'credit' };
    expect((await call('POST', `/v1/orders/${paid.body.id}/refunds`, refund, admin)).body.credited).toBe(1_250);
    await call('GET', `/v1/orders/${paid.body.id}`, undefined, admin);
    await call('GET', '/v1/accounts/credit-ada', undefined, admin);
    expect((await call('GET', '/v1/accounts/credit-ada/entries?limit=2', undefined, admin)).body.items).toHaveLength(2);
    expect((await call('GET', '/v1/accounts/credit-ada')).body.code).toBe('ACCOUNT_NOT_FOUND');
    expect((await call('POST', '/v1/gift-cards', example('GiftCardRequest'), admin)).status).toBe(201);
    const limited = { name: 'Rare', unitAmount: 100, currency: 'EUR', onHand: 9, maxPerCustomer: 1 };
    await call('PUT', '/v1/skus/rare-mug', limited, admin);
    const greedy = await buy({ lines: [{ sku: 'rare-mug', quantity: 2 }], customer: { id: 'eve' } });
    expect(greedy.body.code).toBe('LIMIT_EXCEEDED');
  });

  it('fits what is answered when it is refused', async () => {
    const admin = { key: 'admin' } as const;
    const nobody = '0199c8f0-6b2f-7d4c-8e3f-5a7b9c1d2e3f';
    const buy = (body: object, headers = {}) =>
      call('POST', '/v1/checkouts', { currency: 'EUR', payment: { method: 'pm_card_visa' }, ...body }, { headers });
    const mug = { lines: [{ sku: 'demo-mug', quantity: 1 }] };
    const codes = [
      await buy({ ...mug, payment: { method: 'pm_card_chargeDeclined' } }),
      await buy({ lines: [{ sku: 'demo-last-one', quantity: 2 }] }),
      await buy({ lines: [{ sku: 'demo-unicorn', quantity: 1 }] }),
      await buy({ lines: [] }),
      await buy({ ...mug, expectedTotal: 1 }),
      await buy({ reservationId: nobody }),
      await buy(mug, { 'idempotency-key': '' }),
      await call('POST', '/v1/checkouts', mug, { key: 'none' }),
      await call('GET', '/v1/orders', undefined),
      await call('GET', `/v1/orders/${nobody}`),
      await call('GET', `/v1/reservations/${nobody}`, undefined, { token: 'nonsense' }),
      await call('GET', `/v1/sagas/${nobody}`, undefined, admin),
      await call('GET', '/v1/skus/nothing'),
      await call('POST', '/v1/webhooks/sandbox', { forged: true }, { key: 'none' }),
      await call('POST', '/v1/webhooks/nobody', {}, { key: 'none' }),
      await call('POST', `/v1/webhook-events/${nobody}/replay`, undefined, admin),
      await call(
        'PUT',
        '/v1/skus/demo-mug',
        { name: 'Mug', unitAmount: 1, currency: 'EUR' },
        { ...admin, headers: { 'if-match': '"99"' } },
      ),
      await call('POST', '/v1/skus/demo-poster/adjustments', { delta: -21, reason: 'too much' }, admin),
    ].map(({ body }) => body.code as string);
    expect(codes).toEqual([
      'PAYMENT_DECLINED',
      'OUT_OF_STOCK',
      'SKU_NOT_FOUND',
      'VALIDATION_FAILED',
      'PRICE_CHANGED',
      'RESERVATION_NOT_FOUND',
      'IDEMPOTENCY_KEY_MISSING',
      'UNAUTHENTICATED',
      'FORBIDDEN',
      'ORDER_NOT_FOUND',
      'RESERVATION_NOT_FOUND',
      'SAGA_NOT_FOUND',
      'SKU_NOT_FOUND',
      'INVALID_SIGNATURE',
      'NOT_FOUND',
      'WEBHOOK_EVENT_NOT_FOUND',
      'PRECONDITION_FAILED',
      'STOCK_BELOW_RESERVED',
    ]);
    const order = await buy(mug);
    const sagaId = order.body.sagaId as string;
    for (const verb of ['retry', 'compensate', 'resolve']) {
      expect((await call('POST', `/v1/sagas/${sagaId}/${verb}`, { reason: 'a test' }, admin)).body.code).toBe(
        'INVALID_STATE',
      );
    }
    const refund = await call(
      'POST',
      `/v1/orders/${order.body.id}/refunds`,
      { amount: 99_999, reason: 'greed' },
      admin,
    );
    expect(refund.body.code).toBe('REFUND_EXCEEDS_CAPTURED');
    const capture = (id: string) => call('POST', `/v1/orders/${id}/capture`, { amount: 99_999 }, admin);
    expect((await capture(order.body.id)).body.code).toBe('INVALID_STATE');
    const manual = await buy({ ...mug, payment: { method: 'pm_card_visa', capture: 'manual' } });
    expect((await capture(manual.body.id)).body.code).toBe('CAPTURE_EXCEEDS_AUTHORIZED');
  });

  it('was tried on every route', async () => {
    await call('POST', '/v1/sandbox/reset', undefined, { key: 'admin' });
    const untried = operations()
      .map(({ name }) => name)
      .filter((name) => !contract.met.has(name) && !name.endsWith('/decline'));
    expect(untried).toEqual([]);
  });
});

function hasGoodAnswer(operation: ApiOperation): boolean {
  return Object.entries(operation.responses).some(
    ([status, { description, content }]) =>
      status.startsWith('2') && description !== '' && (content !== undefined || status === '204'),
  );
}
