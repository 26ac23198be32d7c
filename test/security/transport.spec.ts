import { startTestApp, TestApp } from '../setup/test-app.js';
import { parseRaw, sendRaw } from './raw-http.js';

const ORIGIN = 'https://shop.example';
const problem = (status: number, code: string) => ({ status, code, type: 'about:blank' });

describe('what reaches the application at all', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ CORS_ORIGINS: `${ORIGIN}/`, REQUEST_TIMEOUT_MS: '1000', BODY_LIMIT_BYTES: '20000' });
  });
  afterAll(() => test.close());

  const post = (body: string, type: string) =>
    test.api.send('POST', '/v1/checkouts/quote', body, { headers: { 'content-type': type } });

  describe('bodies', () => {
    it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', 'application/xml'])(
      'refuses %s',
      async (type) => {
        const answer = await post('currency=EUR', type);
        expect(answer.body).toMatchObject(problem(415, 'UNSUPPORTED_MEDIA_TYPE'));
      },
    );

    it.each([
      ['broken JSON', '{"currency":'],
      ['a prototype', '{"currency":"EUR","lines":[],"__proto__":{"isAdmin":true}}'],
      ['a nested prototype', '{"currency":"EUR","lines":[{"__proto__":{"isAdmin":true}}]}'],
      ['a constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'],
      ['no body', ''],
      ['a list', '[]'],
      ['members nobody knows', '{"currency":"EUR","lines":[{"sku":"a","quantity":1}],"extra":1}'],
    ])('refuses %s', async (_, body) => {
      const answer = await post(body, 'application/json');
      expect(answer.body).toMatchObject(problem(400, 'VALIDATION_FAILED'));
      expect(({} as any).isAdmin).toBeUndefined();
    });

    it('refuses JSON that is nested without end, also where it is hashed for the Idempotency-Key', async () => {
      for (const body of ['['.repeat(9_000) + ']'.repeat(9_000), `{"a":`.repeat(3_000) + '1' + '}'.repeat(3_000)]) {
        const headers = { 'content-type': 'application/json', 'idempotency-key': 'deep' };
        const answer = await test.api.send('POST', '/v1/checkouts', body, { headers });
        expect(answer.body).toMatchObject(problem(400, 'VALIDATION_FAILED'));
      }
    });

    it('limits the size, and the lines of an order', async () => {
      expect((await post(`{"x":"${'x'.repeat(20_000)}"}`, 'application/json')).body).toMatchObject(
        problem(413, 'PAYLOAD_TOO_LARGE'),
      );
      const lines = Array.from({ length: 101 }, (_, index) => ({ sku: `sku-${index}`, quantity: 1 }));
      const answer = await test.api.post('/v1/checkouts/quote', { currency: 'EUR', lines });
      expect(answer.body).toMatchObject({ ...problem(400, 'VALIDATION_FAILED'), errors: [{ path: 'lines' }] });
    });

    it('takes an empty JSON body for none', async () => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'empty' };
      const path = '/v1/orders/00000000-0000-4000-8000-000000000000/cancel';
      expect((await test.api.send('POST', path, '', { key: 'admin', headers })).body.code).toBe('ORDER_NOT_FOUND');
    });
  });

  describe('headers and time', () => {
    it('limits the headers', async () => {
      const { status, head, body } = parseRaw(
        await sendRaw(test.url, (send) =>
          send(`GET /health/live HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(17_000)}\r\n\r\n`),
        ),
      );
      expect(status).toBe(431);
      expect(head).toContain('content-type: application/problem+json');
      expect(body).toMatchObject(problem(431, 'HEADERS_TOO_LARGE'));
    });

    it('refuses what is no HTTP', async () => {
      const { body } = parseRaw(await sendRaw(test.url, (send) => send('HELLO?\r\n\r\n')));
      expect(body).toMatchObject(problem(400, 'VALIDATION_FAILED'));
    });

    it.each([
      ['headers that never end', 'GET /health/live HTTP/1.1\r\nHost: x\r\n'],
      [
        'a body that never comes',
        'POST /v1/checkouts/quote HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      ],
    ])('gives up on %s', async (_, bytes) => {
      const { body } = parseRaw(await sendRaw(test.url, (send) => send(bytes)));
      expect(body).toMatchObject(problem(408, 'REQUEST_TIMEOUT'));
    });

    it('closes a connection that says nothing', async () => {
      await sendRaw(test.url, () => undefined);
    });

    it('keeps a used connection for the next request, but not for ever', () => {
      const server = test.app.getHttpServer();
      expect(server).toMatchObject({ keepAliveTimeout: 72_000, requestTimeout: 1_000, headersTimeout: 1_000 });
    });
  });

  describe('addresses and methods', () => {
    it.each(['/v1/%zz', `/v1/orders/${'a'.repeat(600)}`])(
      'answers an address it cannot read as a problem (%#)',
      async (path) => {
        const answer = await test.api.get(path);
        expect(answer.headers.get('content-type')).toContain('application/problem+json');
        expect(answer.body).toMatchObject(problem(400, 'VALIDATION_FAILED'));
      },
    );

    it('says 404 to an unknown address, 405 with Allow to a known one', async () => {
      expect((await test.api.get('/v1/nothing')).body).toMatchObject(problem(404, 'NOT_FOUND'));
      const answer = await test.api.send('PATCH', '/v1/skus/abc', {}, { key: 'admin' });
      expect(answer.body).toMatchObject(problem(405, 'METHOD_NOT_ALLOWED'));
      expect(answer.headers.get('allow')!.split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'PUT']);
      expect((await test.api.get('/v1/checkouts')).headers.get('allow')).toBe('POST, OPTIONS');
    });

    it('answers HEAD like GET without a body', async () => {
      const answer = await test.api.send('HEAD', '/v1/skus', undefined, {});
      expect([answer.status, answer.body]).toEqual([200, '']);
      expect((await test.api.send('HEAD', '/v1/skus', undefined, { key: 'none' })).status).toBe(401);
    });
  });

  describe('headers of every answer', () => {
    it.each(['/health/live', '/v1/skus', '/nowhere', '/docs'])('%s is sealed', async (path) => {
      const { headers } = await test.api.get(path);
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('content-security-policy')).toMatch(/default-src 'self'.*script-src 'self';/);
    });

    it('/docs needs no more than its policy allows', async () => {
      const page = (await test.api.get('/docs')).body as string;
      expect(page).not.toMatch(/<script(?![^>]*src=)/);
      expect(page.match(/src="[^"]+"/g)!.every((src) => src.startsWith('src="./docs/'))).toBe(true);
    });

    it('lets the origins of CORS_ORIGINS in, and no others', async () => {
      const preflight = (origin: string) =>
        test.api.send('OPTIONS', '/v1/skus/abc', undefined, {
          key: 'none',
          headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-api-key' },
        });
      const friend = await preflight(ORIGIN);
      expect(friend.status).toBe(204);
      expect(friend.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(friend.headers.get('access-control-allow-methods')).toContain('PUT');
      const allowed = friend.headers.get('access-control-allow-headers')!.split(', ');
      expect(allowed).toEqual(expect.arrayContaining(['idempotency-key', 'x-access-token', 'x-api-key']));
      expect(allowed).toEqual(expect.arrayContaining(['baggage', 'traceparent', 'tracestate'])); // of tracing libraries
      expect(allowed).toEqual(expect.arrayContaining(['if-none-match', 'x-sale-ticket']));
      expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
      const read = await test.api.get('/v1/skus', { headers: { origin: ORIGIN } });
      expect(read.headers.get('access-control-expose-headers')).toContain('idempotent-replayed');
      expect(read.headers.get('vary')).toContain('Origin');
    });

    it('allows no origin unless told', async () => {
      const closed = await startTestApp();
      const headers = { origin: ORIGIN, 'access-control-request-method': 'GET' };
      const preflight = await closed.api.send('OPTIONS', '/v1/skus', undefined, { key: 'none', headers });
      const read = await closed.api.get('/v1/skus', { headers });
      await closed.close();
      expect([preflight.status, preflight.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
      for (const { headers } of [preflight, read]) expect(headers.get('access-control-allow-origin')).toBeNull();
    });
  });

  it('tells nothing about what went wrong inside', async () => {
    await test.database.query('ALTER TABLE skus RENAME TO skus_away');
    const answer = await test.api.get('/v1/skus');
    await test.database.query('ALTER TABLE skus_away RENAME TO skus');
    expect(answer.body).toEqual({
      ...problem(500, 'INTERNAL_ERROR'),
      title: expect.any(String),
      detail: 'An unexpected error occurred',
      requestId: expect.any(String),
    });
  });
});
