import { randomUUID } from 'node:crypto';
import { KEYS } from '../setup/app-process.js';
import { addressOf, Route, routesOf } from './api-routes.js';
import { customerToken, SecurityFixture, startSecurityFixture } from './fixture.js';

/**
 * Who may call what. A route that is not named here is for admins: a new one that opens a door has to say so here.
 * `key` is any key, `customer` an admin key or any key with a customer's JWT, `own` any key with a proof that the resource is the caller's, `signed` checks a signature itself.
 */
const ACCESS: Readonly<Record<string, 'open' | 'signed' | 'key' | 'customer' | 'own'>> = {
  'GET /': 'open',
  'GET /health/live': 'open',
  'GET /health/ready': 'open',
  'GET /openapi.json': 'open',
  'GET /docs': 'open',
  'GET /v1/sandbox/authentications/{id}': 'open',
  'POST /v1/sandbox/authentications/{id}/approve': 'open',
  'POST /v1/sandbox/authentications/{id}/decline': 'open',
  'POST /v1/webhooks/{provider}': 'signed',
  'GET /v1/skus': 'key',
  'GET /v1/skus/{sku}': 'key',
  'GET /v1/skus/events': 'key',
  'GET /v1/sales/{id}': 'key',
  'POST /v1/sales/{id}/tickets': 'key',
  'GET /v1/sales/{id}/tickets/{ticketId}': 'key',
  'GET /v1/sales/{id}/tickets/{ticketId}/events': 'open',
  'POST /v1/sandbox/drops': 'key',
  'POST /v1/checkouts': 'key',
  'POST /v1/checkouts/quote': 'key',
  'POST /v1/reservations': 'key',
  'GET /v1/orders': 'customer',
  'GET /v1/orders/{id}': 'own',
  'GET /v1/orders/{id}/timeline': 'own',
  'GET /v1/orders/{id}/events': 'own',
  'POST /v1/orders/{id}/cancel': 'own',
  'GET /v1/accounts/{id}': 'own',
  'GET /v1/accounts/{id}/entries': 'own',
  'GET /v1/reservations/{id}': 'own',
  'PUT /v1/reservations/{id}/lines': 'own',
  'POST /v1/reservations/{id}/extend': 'own',
  'DELETE /v1/reservations/{id}': 'own',
};

/** Bodies that do no harm where they are let in; everything else is sent an empty object, which changes nothing. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /v1/reservations/{id}/extend': { seconds: 1 },
  'PUT /v1/reservations/{id}/lines': { lines: [{ sku: 'mug', quantity: 1 }] },
};

const CALLERS = ['no key', 'wrong key', 'storefront', 'foreign', 'own', 'admin'] as const;
type Caller = (typeof CALLERS)[number];
type Verdict = 'in' | 'not shown' | 'forbidden' | 'unknown';

function verdictOf(status: number, isOwned: boolean): Verdict {
  if (status === 401) return 'unknown';
  if (status === 403) return 'forbidden';
  return isOwned && status === 404 ? 'not shown' : 'in';
}

function expectedOf(route: string, caller: Caller): Verdict {
  const access = ACCESS[route] ?? 'admin';
  if (access === 'open' || access === 'signed') return 'in';
  if (caller === 'no key' || caller === 'wrong key') return 'unknown';
  if (caller === 'admin' || access === 'key') return 'in';
  if (access === 'customer') return caller === 'storefront' ? 'forbidden' : 'in';
  if (access === 'admin') return 'forbidden';
  return caller === 'own' ? 'in' : 'not shown';
}

describe('authentication matrix', () => {
  let fixture: SecurityFixture;
  beforeAll(async () => {
    fixture = await startSecurityFixture();
  });
  afterAll(() => fixture.test.close());

  async function headersOf(caller: Caller): Promise<Record<string, string>> {
    const storefront = { 'x-api-key': KEYS.STOREFRONT_API_KEY };
    switch (caller) {
      case 'no key':
        return {};
      case 'wrong key':
        return { 'x-api-key': 'not-a-key' };
      case 'storefront':
        return storefront;
      case 'foreign':
        return { ...storefront, authorization: `Bearer ${await customerToken('eve')}` };
      case 'own':
        return { ...storefront, authorization: `Bearer ${await customerToken('ada')}` };
      case 'admin':
        return { 'x-api-key': KEYS.ADMIN_API_KEY };
    }
  }

  /** The status only: an event stream would never end. */
  async function statusOf({ method, path, body }: Route, caller: Caller): Promise<number> {
    const isOwned = ACCESS[`${method} ${path}`] === 'own' || method === 'GET';
    const address = addressOf(path, isOwned ? fixture.resources : { sku: 'unknown', provider: 'sandbox' });
    const payload = BODIES[`${method} ${path}`] ?? {};
    const connection = new AbortController();
    const response = await fetch(`${fixture.test.url}${address}`, {
      method,
      headers: {
        ...(await headersOf(caller)),
        'idempotency-key': randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(payload) }),
      signal: AbortSignal.any([connection.signal, AbortSignal.timeout(15_000)]),
    });
    connection.abort();
    return response.status;
  }

  it('lets everybody in where they belong, and nowhere else', async () => {
    const all = await routesOf(fixture.test.api);
    // A reset empties the service, and with it what the other routes are tried on: a test of its own has it.
    const described = all.filter(({ path }) => path !== '/v1/sandbox/reset');
    const extra = ['/openapi.json', '/docs', '/metrics'].filter((path) =>
      described.every((route) => route.path !== path),
    );
    const routes: Route[] = [...described, ...extra.map((path) => ({ method: 'GET', path, parameters: [] }))];
    const rows: { route: string; access: string; statuses: number[] }[] = [];
    const wrong: string[] = [];
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      const statuses: number[] = [];
      for (const caller of CALLERS) {
        const status = await statusOf(route, caller);
        statuses.push(status);
        const verdict = verdictOf(status, ACCESS[name] === 'own');
        const expected = expectedOf(name, caller);
        if (status >= 500 || verdict !== expected)
          wrong.push(`${name} as ${caller}: ${status} (${verdict}), expected ${expected}`);
      }
      rows.push({ route: name, access: ACCESS[name] ?? 'admin', statuses });
    }
    print(rows);
    expect(wrong).toEqual([]);
    const known = new Set(rows.map(({ route }) => route));
    expect(Object.keys(ACCESS).filter((route) => !known.has(route))).toEqual([]);
  });
});

function print(rows: readonly { route: string; access: string; statuses: readonly number[] }[]): void {
  const width = Math.max(...rows.map(({ route }) => route.length));
  const line = (route: string, access: string, cells: readonly (string | number)[]) =>
    `  ${route.padEnd(width)}  ${access.padEnd(7)}${cells.map((cell) => String(cell).padStart(11)).join('')}`;
  const table = rows.map(({ route, access, statuses }) => line(route, access, statuses));
  process.stdout.write(`\n${[line('route', 'access', CALLERS), ...table].join('\n')}\n\n`);
}
