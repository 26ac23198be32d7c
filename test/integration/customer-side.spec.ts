import { SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import { AccessTokens } from '../../src/platform/http/auth/access-tokens.js';
import { basket, checkOut, newSku, orderEnded } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

const JWT_SECRET = 'customers-secret-for-tests';
const PUBLIC_URL = 'https://checkout.example/pay';

const tokenOf = (subject: string) =>
  new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(subject)
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(JWT_SECRET));
const bearer = async (subject: string) => ({ authorization: `Bearer ${await tokenOf(subject)}` });

describe('the customer’s side', () => {
  let test: TestApp;
  let sku: string;
  beforeAll(async () => {
    test = await startTestApp({
      JWT_SECRET,
      PUBLIC_URL: `${PUBLIC_URL}/`,
      RETURN_URL_ORIGINS: 'https://shop.example',
      SANDBOX_AUTHENTICATION_MS: '0',
    });
    sku = await newSku(test.api, 1_000);
  });
  afterAll(() => test.close());

  const buy = async (
    customer: string | undefined,
    overrides: Record<string, unknown> = {},
    key: string = randomUUID(),
  ) =>
    test.api.post('/v1/checkouts', basket(sku, overrides), {
      headers: customer === undefined ? {} : await bearer(customer),
      idempotencyKey: key,
    });
  const list = async (query: string, headers: Record<string, string> = {}, key: 'admin' | 'storefront' = 'admin') =>
    test.api.get(`/v1/orders?${new URLSearchParams(query).toString()}`, { key, headers });
  const idsOf = ({ body }: { body: any }): string[] => body.items.map(({ id }: { id: string }) => id);

  describe('history', () => {
    it('is the customer’s own by JWT, whoever carries it', async () => {
      const [ada, bob] = [`ada-${randomUUID()}`, `bob-${randomUUID()}`];
      const { body: mine } = await buy(ada);
      await buy(bob);
      expect(idsOf(await list('', await bearer(ada), 'storefront'))).toEqual([mine.id]);
      expect(idsOf(await list('', await bearer(ada), 'admin'))).toEqual([mine.id]);
      expect(idsOf(await list(`customerId=${ada}&state=CONFIRMED`, await bearer(ada), 'storefront'))).toEqual([
        mine.id,
      ]);
      expect((await list(`customerId=${bob}`, await bearer(ada), 'storefront')).status).toBe(403);
      expect((await list('email=a@example.com', await bearer(ada), 'storefront')).status).toBe(403);
      expect((await list('', {}, 'storefront')).status).toBe(403);
    });

    it('is searched by an admin: by e-mail, SKU, Idempotency-Key, transaction and time, page by page', async () => {
      const special = await newSku(test.api, 10);
      const [key, email] = [`key ${randomUUID()}`, `Ada.${randomUUID()}@example.com`];
      const lines = [special, sku].map((each) => ({ sku: each, quantity: 1 }));
      const { body: order } = await buy(undefined, { customer: { email }, lines }, key);
      const { body: later } = await buy(undefined, { lines: [{ sku: special, quantity: 1 }] });
      const [charge] = (await test.api.get(`/v1/sandbox/charges?orderId=${order.id}`, { key: 'admin' })).body.items;
      for (const query of [
        `email=${encodeURIComponent(email.toLowerCase())}`,
        `idempotencyKey=${encodeURIComponent(key)}`,
        `transactionId=${charge.id}`,
        `sku=${special}&email=${encodeURIComponent(email)}`,
        `sku=${special}&createdTo=${later.createdAt}`,
      ])
        expect([query, idsOf(await list(query))]).toEqual([query, [order.id]]);
      expect(idsOf(await list(`sku=${special}`))).toEqual([later.id, order.id]);
      expect(idsOf(await list(`createdFrom=${later.createdAt}&sku=${special}`))).toEqual([later.id]);
      const first = await list(`sku=${special}&limit=1`);
      expect(idsOf(await list(`sku=${special}&limit=1&cursor=${first.body.nextCursor}`))).toEqual([order.id]);
      for (const query of ['transactionId=ch_none', 'idempotencyKey=none', 'email=none@example.com', 'sku=none'])
        expect(idsOf(await list(query))).toEqual([]);
      expect((await list('createdFrom=yesterday')).body.code).toBe('VALIDATION_FAILED');
    });

    it('is found by an index', async () => {
      await test.database.query(`SET enable_seqscan = off`);
      const plans = [
        [`lower(customer_email) = 'a'`, 'orders_by_email'],
        [`idempotency_digest = '\\x00'`, 'orders_by_key'],
        [`jsonb_path_query_array(lines, '$[*].sku') @> '["a"]'`, 'orders_by_sku'],
      ] as const;
      for (const [criterion, index] of plans) {
        const [row] = await test.database.query<{ 'QUERY PLAN': unknown }>(
          `EXPLAIN (FORMAT JSON) SELECT id FROM orders WHERE ${criterion}`,
        );
        expect(JSON.stringify(row)).toContain(index);
      }
    });
  });

  it('customers are proven: a storefront key names nobody but the JWT’s subject', async () => {
    const customer = { id: 'somebody' };
    expect(await buy(undefined, { customer })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await buy('ada', { customer })).status).toBe(403);
    expect(await buy('ada', { customer: { id: 'ada' } })).toMatchObject({
      status: 201,
      body: { customer: { id: 'ada' } },
    });
    expect((await buy(undefined, { customer: { email: 'a@example.com' } })).status).toBe(201);
    const admin = await test.api.post('/v1/checkouts', basket(sku, { customer }), { key: 'admin' });
    expect(admin.body.customer).toEqual(customer);
  });

  describe('eventsUrl', () => {
    it('opens the events of its order without a header, for an hour', async () => {
      const { body: order } = await buy(undefined);
      const { body: read } = await test.api.get(`/v1/orders/${order.id}`, { key: 'admin' });
      for (const { eventsUrl } of [order, read]) {
        expect(eventsUrl).toMatch(new RegExp(`^${PUBLIC_URL}/v1/orders/${order.id}/events\\?token=`));
        const { pathname, search } = new URL(eventsUrl);
        const answer = await fetch(`${test.url}${pathname.replace('/pay', '')}${search}`);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
        await answer.body?.cancel();
      }
    });

    it('opens nothing else, and nothing after its time', async () => {
      const { body: order } = await buy(undefined);
      const { body: other } = await buy(undefined);
      const token = new URL(order.eventsUrl).searchParams.get('token')!;
      const status = async (path: string, headers: Record<string, string> = {}) =>
        (await fetch(`${test.url}${path}`, { headers })).status;
      expect(await status(`/v1/orders/${other.id}/events?token=${token}`)).toBe(401);
      expect(await status(`/v1/orders/${order.id}?token=${token}`)).toBe(401);
      expect(await status(`/v1/orders/${order.id}/events?token=${token.replace(/^\d/, '9')}`)).toBe(401);
      expect(await status(`/v1/orders/${order.id}/events?token=${order.accessToken}`)).toBe(401);
      expect(
        await status(`/v1/orders/${order.id}`, { 'x-api-key': 'storefront-key-for-tests', 'x-access-token': token }),
      ).toBe(404);
      const tokens = test.app.get(AccessTokens);
      const inHours = (count: number) => Date.now() + count * 3_600_000;
      expect(tokens.opensEvents(token, order.id, inHours(0.99))).toBe(true);
      expect(tokens.opensEvents(token, order.id, inHours(1.01))).toBe(false);
    });
  });

  it('a request in progress names its order, which its token opens', async () => {
    const idempotencyKey = randomUUID();
    const body = basket(sku, { payment: { method: 'pm_sandbox_slow' } });
    const first = test.api.post('/v1/checkouts', body, { idempotencyKey });
    let second = await test.api.post('/v1/checkouts', body, { idempotencyKey });
    while (second.body.code === 'IDEMPOTENCY_IN_PROGRESS' && second.body.orderId === undefined)
      second = await test.api.post('/v1/checkouts', body, { idempotencyKey });
    expect(second).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
    const { orderId, accessToken } = second.body;
    const headers = { 'x-access-token': accessToken };
    expect((await test.api.get(`/v1/orders/${orderId}`, { headers })).body.id).toBe(orderId);
    expect((await first).body.id).toBe(orderId);
  });

  describe('returnUrl', () => {
    it('is a page of a known shop', async () => {
      for (const returnUrl of [
        'https://evil.example/',
        'javascript:alert(1)',
        'not a url',
        'https://shop.example.evil.example/',
      ])
        expect((await buy(undefined, { returnUrl })).body.code).toBe('VALIDATION_FAILED');
      for (const returnUrl of ['https://shop.example/back?x=1', 'https://checkout.example/shop'])
        expect((await buy(undefined, { returnUrl })).status).toBe(201);
    });

    it('is where the page leads, which may run nothing but its own script', async () => {
      const { body } = await checkOut(test.api, sku, 'pm_card_authenticationRequired').then(async () =>
        buy(undefined, {
          payment: { method: 'pm_card_authenticationRequired' },
          returnUrl: 'https://shop.example/back?a=%22%3E%3Cb%3E',
        }),
      );
      expect(body.nextAction.url.startsWith(`${PUBLIC_URL}/v1/sandbox/authentications/`)).toBe(true);
      const url = `${test.url}${new URL(body.nextAction.url).pathname.replace('/pay', '')}`;
      const page = await fetch(url);
      expect(page.headers.get('content-security-policy')).toMatch(
        /^default-src 'none';.*script-src 'sha256-[^']+';style-src 'sha256-[^']+'$/,
      );
      const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
      const done = await fetch(`${url}/decline`, form);
      expect(done.status).toBe(200);
      expect(await done.text()).toContain(`href="https://shop.example/back?a=%22%3E%3Cb%3E&#38;orderId=${body.id}"`);
      await orderEnded(test.api, body.id);
      const elsewhere = await fetch(`${test.url}/v1/checkouts/quote`, {
        ...form,
        headers: { ...form.headers, 'x-api-key': 'storefront-key-for-tests' },
        body: 'currency=EUR',
      });
      expect(elsewhere.status).toBe(415);
    });
  });
});
