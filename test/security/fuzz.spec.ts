import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '../setup/api-client.js';
import { KEYS } from '../setup/app-process.js';
import { scaled } from '../setup/scale.js';
import { addressOf, Route, routesOf } from './api-routes.js';
import { customerToken, SecurityFixture, startSecurityFixture } from './fixture.js';
import { allowedBy } from './allowed-by.js';
import { BROKEN, Dice, mutate, NASTY, sampleOf } from './fuzz-bodies.js';
import { quietDigest } from './state-digest.js';

const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const BODIES_PER_ROUTE = scaled(60, 300);
const ADDRESSES_PER_ROUTE = scaled(20, 100);
const AT_ONCE = 16;
const HANG_MS = 60_000;
const RETRY_MS = 250;
/** They read nothing of the request, so that no request is invalid: one empties the service, one opens the demo's sale. */
const ACTS_WHATEVER_COMES = new Set(['/v1/sandbox/reset', '/v1/sandbox/drops']);

interface Shot {
  readonly route: string;
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Breaks what the OpenAPI document says: must be refused. */
  readonly isInvalid: boolean;
}

interface Hit extends Shot {
  readonly status: number | 'hang';
}

describe('fuzzed requests', () => {
  let fixture: SecurityFixture;
  let routes: Route[];
  const dice = new Dice(SEED);

  beforeAll(async () => {
    fixture = await startSecurityFixture();
    routes = (await routesOf(fixture.test.api)).filter(({ path }) => !ACTS_WHATEVER_COMES.has(path));
  });
  afterAll(() => fixture.test.close());

  const admin = () => ({ 'x-api-key': KEYS.ADMIN_API_KEY, 'idempotency-key': randomUUID() });

  /** As an admin, on resources that exist: nothing but validation stands between the body and the state. */
  function bodies(route: Route & { body: object }): Shot[] {
    const isAllowed = allowedBy(route.body);
    const address = addressOf(route.path, fixture.resources);
    const shot = (body: string, isInvalid: boolean, headers: object = {}): Shot => ({
      route: `${route.method} ${route.path}`,
      method: route.method,
      address,
      headers: { ...admin(), 'content-type': 'application/json', ...headers },
      body,
      isInvalid,
    });
    const shots = BROKEN.map((body) => shot(body, !isAllowed(body)));
    shots.push(
      shot('{}', true, { 'content-type': 'text/plain' }),
      shot('a=1', true, { 'content-type': 'application/x-www-form-urlencoded' }),
    );
    while (shots.length < BODIES_PER_ROUTE) {
      let value = mutate(sampleOf(route.body, dice), dice);
      if (dice.next() < 0.3) value = mutate(value, dice);
      const body = JSON.stringify(value);
      shots.push(shot(body, !isAllowed(body)));
    }
    return shots;
  }

  /** Paths, queries and headers that make no sense. Bodies are empty, so that whatever else is right nothing happens. */
  function addresses(route: Route): Shot[] {
    const text = () => {
      const nasty = dice.pick(NASTY);
      return Buffer.from(typeof nasty === 'string' ? nasty : JSON.stringify(nasty))
        .toString()
        .slice(0, 900);
    };
    const ascii = () => text().replace(/[^\x20-\x7e]/g, '?');
    return Array.from({ length: ADDRESSES_PER_ROUTE }, () => {
      const inPath = Object.fromEntries(
        route.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => [name, text()]),
      );
      const isSpoilt = Object.keys(inPath).length > 0 && dice.next() < 0.7;
      const query = route.parameters
        .filter((parameter) => parameter.in === 'query' && dice.next() < 0.7)
        .map(({ name }) => `${name}=${encodeURIComponent(text())}`);
      const isRead = route.method === 'GET';
      const exists = isSpoilt || !isRead ? {} : fixture.resources;
      const path = addressOf(route.path, { ...exists, ...(isSpoilt && inPath), provider: 'sandbox' });
      return {
        route: `${route.method} ${route.path}`,
        method: route.method,
        address: `${path}${query.length > 0 ? `?${query.join('&')}` : ''}${dice.next() < 0.1 ? '?%zz=%' : ''}`,
        headers: {
          ...admin(),
          ...(dice.next() < 0.2 && { 'x-access-token': ascii() }),
          ...(dice.next() < 0.2 && { prefer: ascii() }),
          ...(dice.next() < 0.2 && { 'if-match': ascii() }),
          ...(dice.next() < 0.2 && { 'idempotency-key': ascii() }),
          ...(dice.next() < 0.2 && { 'x-request-id': ascii() }),
          ...(dice.next() < 0.1 && { authorization: `Bearer ${ascii()}` }),
          ...(dice.next() < 0.1 && { 'last-event-id': ascii() }),
          ...(!isRead && route.body && { 'content-type': 'application/json' }),
        },
        ...(!isRead && route.body && { body: '[]' }),
        isInvalid: !isRead,
      };
    });
  }

  /** What the database refused because it stood still says nothing about the request, which comes again. */
  async function fire(shot: Shot): Promise<Hit> {
    const until = performance.now() + HANG_MS;
    for (;;) {
      const { isAway, ...hit } = await fireOnce(shot);
      if (!isAway || performance.now() > until) return hit;
      await delay(RETRY_MS);
    }
  }

  async function fireOnce(shot: Shot): Promise<Hit & { readonly isAway: boolean }> {
    const connection = new AbortController();
    try {
      const response = await fetch(`${fixture.test.url}${shot.address}`, {
        method: shot.method,
        headers: shot.headers,
        ...(shot.body !== undefined && { body: shot.body }),
        signal: AbortSignal.any([connection.signal, AbortSignal.timeout(HANG_MS)]),
      });
      const isAway = response.status === 503 && isDatabaseAway(503, await response.json());
      connection.abort();
      return { ...shot, status: response.status, isAway };
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') return { ...shot, status: 'hang', isAway: false };
      throw error;
    }
  }

  async function fireAll(shots: readonly Shot[]): Promise<Hit[]> {
    const hits: Hit[] = [];
    for (let from = 0; from < shots.length; from += AT_ONCE)
      hits.push(...(await Promise.all(shots.slice(from, from + AT_ONCE).map(fire))));
    return hits;
  }

  const told = (hits: readonly Hit[]) =>
    hits
      .slice(0, 10)
      .map(({ route, status, address, body }) => ({ route, status, address, body: body?.slice(0, 300) }));

  it('never fail the server, never hang, and change nothing unless they are valid', async () => {
    const shots = routes.flatMap((route) => [
      ...(route.body ? bodies(route as Route & { body: object }) : []),
      ...addresses(route),
    ]);
    const invalid = shots.filter((shot) => shot.isInvalid);
    const valid = shots.filter((shot) => !shot.isInvalid);
    const before = await quietDigest(fixture.test.database);
    const refused = await fireAll(invalid);
    const after = await quietDigest(fixture.test.database);
    const others = await fireAll(valid);
    const hits = [...refused, ...others];
    const failed = hits.filter(({ status }) => status === 'hang' || status >= 500);
    report(hits, failed.length);
    expect(told(failed)).toEqual([]);
    expect(told(refused.filter(({ status }) => Number(status) < 400))).toEqual([]);
    expect(after).toEqual(before);
    expect(hits.length).toBeGreaterThanOrEqual(2_000);
    expect((await fixture.test.api.get('/health/ready', { key: 'none' })).body.status).toBe('ready');
    expect((await fixture.test.api.get('/v1/invariants', { key: 'admin' })).body.ok).toBe(true);
  }, 600_000);

  it('of customers are answered like those of anybody', async () => {
    const authorization = `Bearer ${await customerToken('mallory')}`;
    const owned = routes.filter(({ path }) => /\{id\}/.test(path) && /orders|reservations/.test(path));
    const shots = owned.flatMap(addresses).map((shot) => ({
      ...shot,
      headers: { ...shot.headers, 'x-api-key': KEYS.STOREFRONT_API_KEY, authorization },
    }));
    const hits = await fireAll(shots);
    expect(told(hits.filter(({ status }) => status === 'hang' || status >= 500 || status < 400))).toEqual([]);
  });
});

function report(hits: readonly Hit[], failures: number): void {
  const by = new Map<string, number>();
  for (const { status } of hits) by.set(String(status), (by.get(String(status)) ?? 0) + 1);
  const counts = [...by].sort().map(([status, count]) => `${status}: ${count}`);
  const routes = new Set(hits.map(({ route }) => route)).size;
  process.stdout.write(
    `\n  ${hits.length} fuzzed requests to ${routes} routes (FUZZ_SEED=${SEED}): ${counts.join(', ')}; ${failures} server errors or hangs\n\n`,
  );
}
