import { randomUUID } from 'node:crypto';
import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { ApiKeys } from '../../src/platform/http/auth/auth.guard.js';
import { loadConfig } from '../../src/platform/config/app-config.js';
import { toClientKey } from '../../src/platform/config/client-key.js';
import { ApiClient } from '../setup/api-client.js';
import { KEYS } from '../setup/app-process.js';
import { startTestApp, TestApp } from '../setup/test-app.js';
import { newSale } from './sales/sale-fixture.js';

const JWT_SECRET = 'a-secret-for-customers-tokens';
const SECRET = new TextEncoder().encode(JWT_SECRET);
const NOWHERE = randomUUID();

type Claims = { sub?: unknown; exp?: string | number | undefined; nbf?: number };

function tokenOf({ exp = '5m', ...claims }: Claims, key: Uint8Array = SECRET, alg = 'HS256'): Promise<string> {
  return new SignJWT(claims as never).setProtectedHeader({ alg }).setExpirationTime(exp).sign(key);
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const asCustomer = async (sub: string) => bearer(await tokenOf({ sub }));

const checkout = (customer: object = {}) => ({
  customer,
  currency: 'EUR',
  lines: [{ sku: 'mug', quantity: 1 }],
  payment: { method: 'pm_card_visa' },
});
const hold = { currency: 'EUR', lines: [{ sku: 'mug', quantity: 1 }] };

async function addMug(api: ApiClient): Promise<void> {
  await api.put('/v1/skus/mug', { name: 'Mug', unitAmount: 500, currency: 'EUR', onHand: 1_000 });
}

describe('access', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({
      JWT_SECRET,
      ADMIN_API_KEY: `${KEYS.ADMIN_API_KEY},the-next-admin-key`,
      STOREFRONT_API_KEY: `the-next-storefront-key, ${KEYS.STOREFRONT_API_KEY}`,
    });
    await addMug(test.api);
  });
  afterAll(() => test.close());

  const read = (path: string, headers: Record<string, string> = {}, key?: 'admin' | 'none') =>
    test.api.get(path, { headers, ...(key && { key }) });

  describe('keys', () => {
    it('opens with each of several keys per scope, so that one can be rotated', async () => {
      for (const key of ['the-next-storefront-key', KEYS.STOREFRONT_API_KEY, 'the-next-admin-key'])
        expect((await read('/v1/skus', { 'x-api-key': key }, 'none')).status).toBe(200);
      expect((await read('/v1/orders', { 'x-api-key': 'the-next-admin-key' }, 'none')).status).toBe(200);
    });

    it.each([undefined, '', 'wrong', `${KEYS.ADMIN_API_KEY} `.repeat(2), KEYS.ADMIN_API_KEY.toUpperCase()])(
      'stays shut for %p',
      async (key) => {
        const answer = await read('/v1/skus', key === undefined ? {} : { 'x-api-key': key }, 'none');
        expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
      },
    );

    it('keeps a storefront out of what is for admins', async () => {
      const answer = await test.api.put('/v1/skus/mug', {}, { key: 'storefront' });
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    });

    it('compares digests of equal length, and names clients without revealing their keys', () => {
      const keys = new ApiKeys(
        ['admin-key'].map(toClientKey),
        ['short', 'another', 'web=new-key', 'web=old-key', 'app=c2VjcmV0=='].map(toClientKey),
      );
      expect(keys.find('admin-key')).toMatchObject({ scope: 'admin', client: 'admin' });
      const clients = ['short', 'another', 'new-key', 'old-key', 'web=old-key', 'c2VjcmV0=='].map(
        (key) => keys.find(key)?.client,
      );
      expect(clients).toEqual([
        'storefront',
        'storefront',
        'storefront:web',
        'storefront:web',
        'storefront:web',
        'storefront:app',
      ]);
      for (const unknown of ['shor', 'web', 'web=', 'app=new-key', 'storefront:web'])
        expect(keys.find(unknown)).toBe(undefined);
      expect(JSON.stringify(keys)).not.toMatch(/admin-key|another|old-key|c2VjcmV0/);
    });

    it('refuses to start with one key for both scopes', () => {
      const env = { ADMIN_API_KEY: 'a,the-same', STOREFRONT_API_KEY: 'the-same' };
      expect(() => loadConfig(env)).toThrow(/share a key/);
    });
  });

  describe('tickets of a sale', () => {
    it('are for the customer who proved it, and the body may name nobody else', async () => {
      const sale = await newSale(test.api, 1);
      const take = async (id: string, headers: Record<string, string>, key?: 'admin') => {
        const options = { headers, ...(key && { key }) };
        const { status, body } = await test.api.post(`/v1/sales/${sale.id}/tickets`, { customer: { id } }, options);
        return [status, body.code];
      };
      expect(await take('ada', {})).toEqual([403, 'FORBIDDEN']);
      expect(await take('ada', await asCustomer('mallory'))).toEqual([403, 'FORBIDDEN']);
      expect(await take('ada', await asCustomer('ada'))).toEqual([201, undefined]);
      expect(await take('bob', {}, 'admin')).toEqual([201, undefined]);
    });
  });

  describe('orders', () => {
    it('tell operators, and nobody else, who of the staff acted', async () => {
      const { body: order } = await test.api.post('/v1/checkouts', checkout());
      await test.api.post(`/v1/orders/${order.id}/cancel`, undefined, { key: 'admin' });
      const actorsFor = async (headers: Record<string, string>, key?: 'admin') => {
        const { body } = await read(`/v1/orders/${order.id}/timeline`, headers, key);
        const begun = body.items.filter(({ kind }: { kind: string }) => kind === 'cancellation.begun');
        return begun.map(({ detail }: { detail: { actor?: string } }) => detail.actor);
      };
      expect(await actorsFor({}, 'admin')).toEqual(['admin']);
      expect(await actorsFor({ 'x-access-token': order.accessToken })).toEqual([undefined]);
    });

    it('are shown to who holds their token, to their customer and to admins, and to nobody else', async () => {
      const { body: order } = await test.api.post('/v1/checkouts', checkout(), { headers: await asCustomer('ada') });
      expect(order.customer).toEqual({ id: 'ada' });
      const other = (await test.api.post('/v1/checkouts', checkout())).body;
      for (const path of [`/v1/orders/${order.id}`, `/v1/orders/${order.id}/timeline`]) {
        expect((await read(path, { 'x-access-token': order.accessToken })).status).toBe(200);
        expect((await read(path, await asCustomer('ada'))).status).toBe(200);
        expect((await read(path, {}, 'admin')).status).toBe(200);
        const strangers = [
          {},
          { 'x-access-token': other.accessToken },
          { 'x-access-token': 'x' },
          await asCustomer('eve'),
        ];
        for (const headers of strangers) {
          const answer = await read(path, headers);
          expect([answer.status, answer.body.code]).toEqual([404, 'ORDER_NOT_FOUND']);
        }
      }
    });

    it('that are not yours look like orders that do not exist', async () => {
      const { body: order } = await test.api.post('/v1/checkouts', checkout());
      const shapes = await Promise.all(
        [order.id, NOWHERE, 'no-uuid'].map(async (id) => {
          const { status, body } = await read(`/v1/orders/${id}`);
          return { ...body, status, requestId: '' };
        }),
      );
      expect(shapes[1]).toEqual(shapes[0]);
      expect(shapes[2]).toEqual(shapes[0]);
    });

    it('belong to the customer who proved it, and the body may name nobody else', async () => {
      const buy = async (customer: object) =>
        test.api.post('/v1/checkouts', checkout(customer), { headers: await asCustomer('eve') });
      expect((await buy({ id: 'ada', email: 'eve@example.com' })).body.code).toBe('FORBIDDEN');
      const answer = await buy({ email: 'eve@example.com' });
      expect(answer.body.customer).toEqual({ id: 'eve', email: 'eve@example.com' });
      expect((await read(`/v1/orders/${answer.body.id}`, await asCustomer('ada'))).status).toBe(404);
      expect((await read(`/v1/orders/${answer.body.id}`, await asCustomer('eve'))).status).toBe(200);
    });

    it('without a proof belong to the customer whom an admin names', async () => {
      const { body } = await test.api.post('/v1/checkouts', checkout({ id: 'grace' }), { key: 'admin' });
      expect((await read(`/v1/orders/${body.id}`, await asCustomer('grace'))).status).toBe(200);
      expect((await read(`/v1/orders/${body.id}`, await asCustomer('eve'))).status).toBe(404);
    });

    it('tell operators what a step failed with, and customers only that it did', async () => {
      const { body: order } = await test.api.post('/v1/checkouts', checkout());
      const at = new Date().toISOString();
      const line = { at, step: 'x', phase: 'call', result: 'retried', error: 'connect 10.0.0.5:5432' };
      await test.database.query('UPDATE sagas SET log_lines = $2 WHERE id = $1', [
        order.sagaId,
        `${JSON.stringify(line)}\n`,
      ]);
      const path = `/v1/orders/${order.id}/timeline`;
      const told = async (headers: object, key?: 'admin') =>
        JSON.stringify((await read(path, headers as Record<string, string>, key)).body).includes('10.0.0.5');
      expect(await told({ 'x-access-token': order.accessToken })).toBe(false);
      expect(await told({}, 'admin')).toBe(true);
    });

    it('are listed for admins, and a customer’s own for the customer', async () => {
      expect((await read('/v1/orders?customerId=ada', await asCustomer('eve'))).status).toBe(403);
      expect((await read('/v1/orders?customerId=ada', await asCustomer('ada'))).status).toBe(200);
      const listed = await read('/v1/orders?customerId=ada', {}, 'admin');
      expect(listed.body.items.every((order: { customer: object }) => 'id' in order.customer)).toBe(true);
    });

    it('of two customers with the same Idempotency-Key are two', async () => {
      const idempotencyKey = randomUUID();
      const buy = async (sub: string) =>
        test.api.post('/v1/checkouts', checkout(), { idempotencyKey, headers: await asCustomer(sub) });
      const [ada, eve, again] = [await buy('ada'), await buy('eve'), await buy('ada')];
      expect(eve.body.id).not.toBe(ada.body.id);
      expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([ada.body.id, 'true']);
    });
  });

  describe('reservations', () => {
    it('are shown to, and handled by, who holds their token, their customer and admins', async () => {
      const { body: held } = await test.api.post('/v1/reservations', hold, { headers: await asCustomer('ada') });
      const path = `/v1/reservations/${held.id}`;
      const token = { 'x-access-token': held.accessToken as string };
      const extend = (headers: object) =>
        test.api.post(`${path}/extend`, { seconds: 1 }, { headers: headers as Record<string, string> });
      for (const headers of [token, await asCustomer('ada')]) {
        expect((await read(path, headers)).status).toBe(200);
        expect((await extend(headers)).status).toBe(200);
      }
      expect((await read(path, {}, 'admin')).status).toBe(200);
      for (const headers of [{}, await asCustomer('eve'), { 'x-access-token': 'x' }] as Record<string, string>[]) {
        expect((await read(path, headers)).body.code).toBe('RESERVATION_NOT_FOUND');
        expect((await extend(headers)).body.code).toBe('RESERVATION_NOT_FOUND');
        expect((await test.api.delete(path, { headers })).body.code).toBe('RESERVATION_NOT_FOUND');
      }
    });

    it('are paid for by those only', async () => {
      const { body: held } = await test.api.post('/v1/reservations', hold, { headers: await asCustomer('ada') });
      const body = { ...checkout(), lines: undefined, reservationId: held.id };
      const eve = await test.api.post('/v1/checkouts', body, { headers: await asCustomer('eve') });
      expect([eve.status, eve.body.code]).toEqual([404, 'RESERVATION_NOT_FOUND']);
      const ada = await test.api.post('/v1/checkouts', body, { headers: await asCustomer('ada') });
      expect(ada.status).toBe(201);
    });

    it('and orders have tokens of their own kind', async () => {
      const { body: order } = await test.api.post('/v1/checkouts', checkout());
      const headers = { 'x-access-token': order.accessToken as string };
      expect((await read(`/v1/reservations/${order.reservation.id}`, headers)).status).toBe(404);
    });
  });

  describe('a bearer token', () => {
    const other = new TextEncoder().encode('somebody-elses-secret');
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const cases: [string, () => Promise<string> | string][] = [
      ['signed with another secret', () => tokenOf({ sub: 'ada' }, other)],
      ['that has expired', () => tokenOf({ sub: 'ada', exp: Math.floor(Date.now() / 1_000) - 60 })],
      ['that is not valid yet', () => tokenOf({ sub: 'ada', nbf: Math.floor(Date.now() / 1_000) + 600 })],
      ['that never expires', () => new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg: 'HS256' }).sign(SECRET)],
      ['without a subject', () => tokenOf({})],
      ['with an empty subject', () => tokenOf({ sub: '' })],
      ['whose subject is a number', () => tokenOf({ sub: 42 })],
      ['whose subject cannot be stored', () => tokenOf({ sub: 'a\0b' })],
      ['whose subject has no end', () => tokenOf({ sub: 'x'.repeat(201) })],
      ['of another algorithm', () => tokenOf({ sub: 'ada' }, SECRET, 'HS512')],
      ['without a signature', () => `${encode({ alg: 'none' })}.${encode({ sub: 'ada', exp: 9_999_999_999 })}.`],
      ['that is none', () => 'nonsense'],
    ];
    it.each(cases)('%s is refused, also where none is needed', async (_, token) => {
      const answer = await read('/v1/skus', bearer(await token()));
      expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    });

    it('replaces no key, and Basic is no Bearer', async () => {
      expect((await read('/v1/skus', await asCustomer('ada'), 'none')).status).toBe(401);
      expect((await read('/v1/skus', { authorization: `Basic ${await tokenOf({ sub: 'ada' })}` })).status).toBe(401);
    });

    it('is refused where no secret is configured', async () => {
      const closed = await startTestApp();
      const answer = await closed.api.get('/v1/skus', { headers: await asCustomer('ada') });
      await closed.close();
      expect(answer.status).toBe(401);
    });
  });
});

describe('customers of an issuer that publishes its keys', () => {
  let issuer: Server;
  let test: TestApp;
  let sign: (claims: object, kid?: string) => Promise<string>;
  let isAway = false;

  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }];
    issuer = createServer((_, response) => {
      if (isAway) response.writeHead(500).end();
      else response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    sign = (claims, kid = 'one') =>
      new SignJWT({ iss: 'https://id.example', aud: 'shop', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setExpirationTime('5m')
        .sign(privateKey);
    const JWKS_URL = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks.json`;
    test = await startTestApp({ JWKS_URL, JWT_ISSUER: 'https://id.example', JWT_AUDIENCE: 'shop' });
    await addMug(test.api);
  });
  afterAll(async () => {
    await test.close();
    issuer.close();
  });

  const status = async (token: string) => (await test.api.get('/v1/skus', { headers: bearer(token) })).status;

  it('wait for the issuer while it is away, rather than being called impostors', async () => {
    isAway = true;
    const answer = await test.api.get('/v1/skus', { headers: bearer(await sign({ sub: 'ada' })) });
    isAway = false;
    expect([answer.status, answer.body.code]).toEqual([503, 'DEPENDENCY_UNAVAILABLE']);
  });

  it('are known by its signature, and see their orders', async () => {
    const headers = bearer(await sign({ sub: 'ada' }));
    const { body: order } = await test.api.post('/v1/checkouts', checkout(), { headers });
    expect((await test.api.get(`/v1/orders/${order.id}`, { headers })).status).toBe(200);
    expect((await test.api.get(`/v1/orders/${order.id}`, { headers: bearer(await sign({ sub: 'eve' })) })).status).toBe(
      404,
    );
  });

  it('are refused with tokens for others, of others, or signed with a public key as if it were a secret', async () => {
    expect(await status(await sign({ sub: 'ada', aud: 'another-shop' }))).toBe(401);
    expect(await status(await sign({ sub: 'ada', iss: 'https://evil.example' }))).toBe(401);
    expect(await status(await sign({ sub: 'ada' }, 'two'))).toBe(401);
    expect(await status(await tokenOf({ sub: 'ada' }))).toBe(401);
  });
});
