import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { APP_CONFIG, loadConfig } from '../../src/platform/config/app-config.js';
import { createAdapter } from '../../src/platform/http/fastify.js';
import { HttpModule } from '../../src/platform/http/http.module.js';
import { LoopsModule } from '../../src/platform/loops/loops.module.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { GatewayModule } from '../../src/payment/gateway/gateway.module.js';
import { PAYMENT_GATEWAY, PaymentGateway } from '../../src/payment/gateway/payment-gateway.js';
import { SandboxGateway } from '../../src/payment/gateway/sandbox/sandbox-gateway.js';
import { StripeGateway } from '../../src/payment/gateway/stripe/stripe-gateway.js';
import { ApiClient } from '../setup/api-client.js';
import { KEYS } from '../setup/app-process.js';
import { createTestDatabase, TestDatabase } from '../setup/test-database.js';
import { chargeRequest, ledgerOf, soon, transactionOf } from './gateway-contract.js';

/** The gateway and the HTTP layer, without the rest of the service. */
async function startGatewayApp(
  database: TestDatabase,
  env: Record<string, string> = {},
): Promise<NestFastifyApplication> {
  const config = loadConfig({ NODE_ENV: 'test', SANDBOX_AUTHENTICATION_MS: '0', ...KEYS, ...env });
  @Global()
  @Module({
    imports: [LoopsModule, HttpModule, GatewayModule.register(config, database.url)],
    providers: [{ provide: APP_CONFIG, useValue: config }, Metrics],
    exports: [APP_CONFIG, Metrics],
  })
  class GatewayTestModule {}
  const adapter = createAdapter(config, pino({ level: 'silent' }));
  const app = await NestFactory.create<NestFastifyApplication>(GatewayTestModule, adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  return app;
}

describe('the sandbox over HTTP', () => {
  let database: TestDatabase;
  let app: NestFastifyApplication;
  let gateway: SandboxGateway;
  let api: ApiClient;
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startGatewayApp(database);
    gateway = app.get(SandboxGateway);
    api = new ApiClient(await app.getUrl(), KEYS);
    gateway.setUrls({ callbacks: `${api.url}/` });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const waiting = async () => {
    const request = chargeRequest({
      method: 'pm_card_authenticationRequired',
      orderId: `<b>"o"&</b>-${Math.random()}`,
    });
    const result = await gateway.charge(request, soon());
    if (result.kind !== 'requires_action' || result.nextAction.type !== 'redirect_to_url') throw new Error(result.kind);
    return { request, url: result.nextAction.url, path: new URL(result.nextAction.url).pathname };
  };

  it('shows the ledger of an order to admins only', async () => {
    const request = chargeRequest();
    const id = transactionOf(await gateway.charge(request, soon()));
    const path = `/v1/sandbox/charges?orderId=${request.orderId}`;
    const { orderId, amount, currency } = request;
    expect((await api.get(path, { key: 'admin' })).body).toEqual({
      items: [{ id, orderId, amount, capturedAmount: amount, refundedAmount: 0, currency, state: 'CAPTURED' }],
    });
    expect((await api.get(path)).status).toBe(403);
    expect((await api.get(path, { key: 'none' })).status).toBe(401);
    const refused = await api.get('/v1/sandbox/charges', { key: 'admin' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect((await api.get('/v1/sandbox/charges?orderId=none', { key: 'admin' })).body).toEqual({ items: [] });
  });

  it('replaces the faults as a whole, and refuses what it does not know', async () => {
    const set = await api.put('/v1/sandbox/faults', { duplicateCallbacks: 2, reorder: true });
    expect(set).toMatchObject({ status: 200, body: { duplicateCallbacks: 2, reorder: true, chargeErrorRate: 0 } });
    expect((await api.get('/v1/sandbox/faults', { key: 'admin' })).body).toEqual(set.body);
    expect((await api.put('/v1/sandbox/faults', { chargeErrorRate: 2 })).status).toBe(400);
    expect((await api.put('/v1/sandbox/faults', { unheardOf: true })).status).toBe(400);
    expect((await api.put('/v1/sandbox/faults', {})).body).toMatchObject({ duplicateCallbacks: 0, reorder: false });
    expect((await api.put('/v1/sandbox/faults', {}, { key: 'storefront' })).status).toBe(403);
  });

  it.each([
    ['approve', 'CAPTURED', 'Approved'],
    ['decline', 'DECLINED', 'Declined'],
  ])('lets the customer %s by the link alone, without a key', async (verb, state, text) => {
    const { request, url, path } = await waiting();
    expect(url.startsWith(`${api.url}/v1/sandbox/authentications/ch_`)).toBe(true);
    const page = await api.get(path, { key: 'none' });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('<button');
    expect(page.body).not.toContain('<b>');
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ state: 'PENDING' }]);
    // As a browser submits an empty form.
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const done = await fetch(`${url}/${verb}`, { method: 'POST', headers, body: '' });
    expect(done.status).toBe(200);
    expect(await done.text()).toContain(text);
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ state }]);
    const again = await fetch(`${url}/${verb === 'approve' ? 'decline' : 'approve'}`, { method: 'POST' });
    expect(await again.text()).toContain(text);
    expect(await ledgerOf(gateway, request.orderId)).toMatchObject([{ state }]);
  });

  it('knows no authentication under another link', async () => {
    const path = '/v1/sandbox/authentications/ch_guess';
    expect((await api.get(path, { key: 'none' })).status).toBe(404);
    expect((await api.post(`${path}/approve`, undefined, { key: 'none' })).status).toBe(404);
  });

  it('gives way to Stripe by configuration, routes included', async () => {
    const env = { PAYMENT_GATEWAY: 'stripe', STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
    const stripe = await startGatewayApp(database, env);
    expect(stripe.get<PaymentGateway>(PAYMENT_GATEWAY)).toBeInstanceOf(StripeGateway);
    const client = new ApiClient(await stripe.getUrl(), KEYS);
    expect((await client.get('/v1/sandbox/charges?orderId=1', { key: 'admin' })).status).toBe(404);
    await stripe.close();
  });

  it('provides the sandbox under the token of the port', () => {
    expect(app.get<PaymentGateway>(PAYMENT_GATEWAY)).toBe(gateway);
  });
});
