import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ApiClient, ApiResponse } from '../setup/api-client.js';
import { StripeServer } from '../payment/stripe-server.js';
import { eventually } from '../setup/eventually.js';
import { shelve } from '../setup/shop.js';
import { startTestApp, TestApp } from '../setup/test-app.js';
import { createTestDatabase, requiredEnv, TestDatabase } from '../setup/test-database.js';

const JWT_SECRET = 'a-secret-for-customers-tokens';
const DECLINED = 'pm_card_chargeDeclined';
/** The sandbox knows no such methods, and declines each of them: cards that were made up. */
const someCard = () => `pm_stolen_${randomUUID()}`;
const someAddress = () => `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
const someEmail = () => `${randomUUID()}@example.com`;

interface Attempt {
  readonly address?: string;
  readonly method?: string;
  readonly customer?: object;
  readonly sku?: string;
  readonly idempotencyKey?: string;
  readonly headers?: Record<string, string>;
}

/** Each from another address and by another customer, unless told. */
function attempt(api: ApiClient, attempt: Attempt = {}): Promise<ApiResponse> {
  const { address = someAddress(), method = 'pm_card_visa', sku = 'mug', idempotencyKey = randomUUID() } = attempt;
  const { customer = { email: someEmail() }, headers = {} } = attempt;
  // Where customers have JWTs, only an admin key may vouch for a name.
  const key = 'id' in customer ? 'admin' : 'storefront';
  const body = { customer, currency: 'EUR', lines: [{ sku, quantity: 1 }], payment: { method } };
  return api.post('/v1/checkouts', body, {
    key,
    idempotencyKey,
    headers: { 'x-forwarded-for': address, ...headers },
  });
}

/**
 * How many are declined until one is refused. Counts begin anew with every minute of the clock, which may be in the middle:
 * so it takes at least the limit, and less than twice as many.
 */
async function declinesUntilRefused(limit: number, next: () => Promise<ApiResponse>): Promise<number> {
  for (let declines = 0; declines < 2 * limit; declines += 1) {
    const { status, body } = await next();
    if (status === 429) return declines;
    expect([status, body.code]).toEqual([402, 'PAYMENT_DECLINED']);
  }
  throw new Error(`${2 * limit} declines, and nobody was refused`);
}

async function expectClosedAfter(limit: number, next: () => Promise<ApiResponse>): Promise<void> {
  const declines = await declinesUntilRefused(limit, next);
  expect(declines).toBeGreaterThanOrEqual(limit);
  expect(declines).toBeLessThan(2 * limit);
}

const ENV = { RATE_LIMIT: '100000', TRUST_PROXY: 'loopback', JWT_SECRET };

describe('declined payments are counted', () => {
  let test: TestApp;
  beforeAll(async () => {
    const limits = { DECLINE_LIMIT: '6', DECLINE_LIMIT_PER_CARD: '4', DECLINE_LIMIT_PER_CUSTOMER: '5' };
    test = await startTestApp({ ...ENV, ...limits });
    await shelve(test.api, 'mug', 1_000);
    await shelve(test.api, 'gift', 1_000, 0);
  });
  afterAll(() => test.close());

  it('by address, whatever the cards and the names', async () => {
    const address = '203.0.113.1';
    const key = randomUUID();
    await attempt(test.api, { address, method: someCard(), idempotencyKey: key });
    await declinesUntilRefused(6, () => attempt(test.api, { address, method: someCard() }));
    const refused = await attempt(test.api, { address });
    expect(refused.body).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(120);
    expect((await attempt(test.api)).status).toBe(201);
    expect(await test.api.get('/v1/skus/mug', { headers: { 'x-forwarded-for': address } })).toMatchObject({
      status: 200,
    });
  });

  it('by address, however many requests never reach the gateway, or are free of charge', async () => {
    const address = '203.0.113.2';
    expect((await attempt(test.api, { address, sku: 'unknown' })).status).toBe(404);
    expect((await attempt(test.api, { address, sku: 'gift' })).status).toBe(201);
    await expectClosedAfter(6, async () => {
      for (const sku of ['unknown', 'unknown', 'gift', 'unknown']) await attempt(test.api, { address, sku });
      return attempt(test.api, { address, method: someCard() });
    });
  });

  it('by card, from wherever', async () => {
    const method = someCard();
    await expectClosedAfter(4, () => attempt(test.api, { method }));
    expect((await attempt(test.api, { method: someCard() })).status).toBe(402);
  });

  it('by e-mail address and by customer, from wherever', async () => {
    const email = someEmail();
    await expectClosedAfter(5, () => attempt(test.api, { customer: { email }, method: someCard() }));
    expect((await attempt(test.api, { customer: { email: email.toUpperCase() } })).status).toBe(429);
    await expectClosedAfter(5, () => attempt(test.api, { customer: { id: 'mallory' }, method: someCard() }));
    expect((await attempt(test.api)).status).toBe(201);
  });

  it('by proven customer, apart from whoever only claims the name', async () => {
    const token = (sub: string) =>
      new SignJWT({ sub })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime('5m')
        .sign(new TextEncoder().encode(JWT_SECRET));
    const eve = { authorization: `Bearer ${await token('eve')}` };
    await expectClosedAfter(5, () => attempt(test.api, { headers: eve, method: someCard() }));
    await expectClosedAfter(5, () => attempt(test.api, { customer: { id: 'ada' }, method: someCard() }));
    const ada = { authorization: `Bearer ${await token('ada')}` };
    expect((await attempt(test.api, { headers: ada })).status).toBe(201);
  });

  it('also where nobody waits for them, and after the customer was asked', async () => {
    const address = '203.0.113.3';
    const start = (more: Attempt) => attempt(test.api, { address, ...more });
    const isRefused = async () => (await start({ headers: { prefer: 'respond-async' } })).status === 429 || undefined;
    for (let call = 0; call < 3; call += 1) {
      await start({ method: someCard(), headers: { prefer: 'respond-async' } });
      const { body } = await start({ method: 'pm_card_authenticationRequired' });
      await fetch(`${body.nextAction.url}/decline`, { method: 'POST' });
    }
    await eventually('a refusal', async () => {
      await start({ method: someCard(), headers: { prefer: 'respond-async' } });
      return isRefused();
    });
  });

  it('and what was answered before is told again', async () => {
    const [address, idempotencyKey, method] = ['203.0.113.4', randomUUID(), someCard()];
    const customer = { email: someEmail() };
    const first = await attempt(test.api, { address, idempotencyKey, method, customer });
    await declinesUntilRefused(6, () => attempt(test.api, { address, method: someCard() }));
    const again = await attempt(test.api, { address, idempotencyKey, method, customer });
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([402, 402, 'true']);
  });
});

describe('500 attempts, of which a tester makes most, on two instances', () => {
  let database: TestDatabase;
  let instances: TestApp[];
  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { ...ENV, REDIS_URL: requiredEnv('TEST_REDIS_URL') };
    instances = await Promise.all([startTestApp(env, database), startTestApp(env, database)]);
    await shelve(instances[0]!.api, 'mug', 10_000);
  });
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.close()));
    await database.drop();
  });

  it('stop the tester early, and nobody else, not even behind the same server of a shop', async () => {
    const tester = someAddress();
    const seen = { declined: 0, refused: 0, unknown: 0, paid: 0, good: 0 };
    const test = async (index: number) => {
      const { api } = instances[index % 2]!;
      if (index % 5 < 2) {
        const { status } = await attempt(api, { address: tester, sku: 'unknown' });
        expect([404, 429]).toContain(status);
        seen.unknown += 1;
      } else if (index % 5 < 4) {
        const { status } = await attempt(api, { address: tester, method: someCard() });
        expect([402, 429]).toContain(status);
        seen[status === 429 ? 'refused' : 'declined'] += 1;
      } else {
        // Through the server of a shop, which says whom it asks for; some of its buyers mistype.
        const isDeclined = index % 50 === 4;
        const { status } = await attempt(api, { method: isDeclined ? DECLINED : 'pm_card_visa' });
        expect(status).toBe(isDeclined ? 402 : 201);
        seen.good += 1;
        if (!isDeclined) seen.paid += 1;
      }
    };
    for (let index = 0; index < 500; index += 10)
      await Promise.all(Array.from({ length: 10 }, (_, offset) => test(index + offset)));
    // 30, or twice that if a minute ended in between; and what was under way, or counted by the other instance only.
    expect(seen).toMatchObject({ unknown: 200, good: 100, paid: 90 });
    expect(seen.declined).toBeGreaterThanOrEqual(30);
    expect(seen.declined).toBeLessThan(60 + 2 * 10);
    expect(seen.refused).toBeGreaterThan(120);
    const refusedEverywhere = instances.map(({ api }) => attempt(api, { address: tester }));
    for (const answer of await Promise.all(refusedEverywhere)) expect(answer.status).toBe(429);
    const text = JSON.stringify(await database.query('SELECT data FROM sagas'));
    expect(text).not.toContain(tester);
  });
});

describe('an address that many share', () => {
  it('stays open as long as most of its payments are approved', async () => {
    const test = await startTestApp({ ...ENV, TRUST_PROXY: 'false', DECLINE_LIMIT: '3' });
    await shelve(test.api, 'mug', 1_000);
    for (let call = 0; call < 8; call += 1) {
      expect((await attempt(test.api, { method: someCard() })).status).toBe(402);
      for (let buyer = 0; buyer < 2; buyer += 1) expect((await attempt(test.api)).status).toBe(201);
    }
    await declinesUntilRefused(30, () => attempt(test.api, { method: someCard() }));
    await test.close();
  });
});

describe('the ceiling for all', () => {
  it('closes the shop when most of what reaches the gateway is declined, from wherever', async () => {
    const test = await startTestApp({ ...ENV, DECLINE_LIMIT_TOTAL: '10' });
    await shelve(test.api, 'mug', 1_000);
    for (let call = 0; call < 12; call += 1) {
      expect((await attempt(test.api, { method: someCard() })).status).toBe(402);
      for (let buyer = 0; buyer < 2; buyer += 1) expect((await attempt(test.api)).status).toBe(201);
    }
    await declinesUntilRefused(60, () => attempt(test.api, { method: someCard() }));
    expect((await attempt(test.api)).status).toBe(429);
    const { body: metrics } = await test.api.get('/metrics', { key: 'admin' });
    expect(metrics).toMatch(/requests_limited_total\{limit="declines_all"[^}]*\} [1-9]/);
    await test.close();
  });
});

describe('a card at Stripe', () => {
  it('is known by its fingerprint, whatever token it comes as', async () => {
    const server = await new StripeServer().start();
    const test = await startTestApp({
      ...ENV,
      DECLINE_LIMIT_PER_CARD: '3',
      PAYMENT_GATEWAY: 'stripe',
      STRIPE_SECRET_KEY: server.secretKey,
      STRIPE_WEBHOOK_SECRET: server.webhookSecret,
      STRIPE_API_BASE: server.url,
    });
    const asked = () => server.requests.filter(({ path }) => path.startsWith('/v1/payment_methods/')).length;
    try {
      await shelve(test.api, 'mug', 1_000);
      let token = 0;
      const guess = (card: string) => attempt(test.api, { method: `pm_card_stolen_${card}_${(token += 1)}` });
      await expectClosedAfter(3, () => guess('one'));
      const before = server.requests.length;
      expect((await guess('one')).status).toBe(429);
      expect(server.requests.slice(before).map(({ method }) => method)).toEqual(['GET']); // asked, not charged
      expect((await guess('two')).status).toBe(402);
      expect((await attempt(test.api)).status).toBe(201);
      const askedOnce = asked();
      expect((await attempt(test.api)).status).toBe(201);
      expect(asked()).toBe(askedOnce);
    } finally {
      await test.close();
      await server.stop();
    }
  });
});
