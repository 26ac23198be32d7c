import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { IdempotencyPurgeJob } from '../../src/platform/idempotency/idempotency-purge.job.js';
import { IdempotencyRepository } from '../../src/platform/idempotency/idempotency.repository.js';
import { KeyScopeTransition } from '../../src/platform/idempotency/key-scope-transition.js';
import { TransactionRunner } from '../../src/platform/postgres/transaction-runner.js';
import type { ApiResponse } from '../setup/api-client.js';
import { eventually } from '../setup/eventually.js';
import { basket, shelve } from '../setup/shop.js';
import { startTestApp, TestApp } from '../setup/test-app.js';
import { createTestDatabase, TestDatabase } from '../setup/test-database.js';

/** Two instances of one service: links in their answers are the same. */
const PUBLIC_URL = 'https://shop.example';

const OLD = 'the-storefronts-old-key';
const NEW = 'the-storefronts-new-key';
const APP = 'the-key-of-the-application';
const HOLD = { currency: 'EUR', lines: [{ sku: 'mug', quantity: 1 }] };
const isReplay = ({ headers }: ApiResponse) => headers.get('idempotent-replayed') === 'true';

/** Two instances in the middle of a rotation: the second has been restarted with the new key, the first not yet. */
async function startRotating(database: TestDatabase, name: string): Promise<[TestApp, TestApp]> {
  const app = `app=${APP}`;
  const one = await startTestApp({ PUBLIC_URL, STOREFRONT_API_KEY: `${name}${OLD},${app}` }, database);
  const two = await startTestApp({ PUBLIC_URL, STOREFRONT_API_KEY: `${name}${NEW},${name}${OLD},${app}` }, database);
  return [one, two];
}

function post(
  app: TestApp,
  apiKey: string,
  idempotencyKey: string,
  path = '/v1/checkouts',
  body: object = basket('mug'),
) {
  return app.api.post(path, body, { key: 'none', idempotencyKey, headers: { 'x-api-key': apiKey } });
}

describe.each([
  ['with a name', 'web='],
  ['without a name', ''],
])('the keys of a client %s', (_, name) => {
  let database: TestDatabase;
  let one: TestApp;
  let two: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    [one, two] = await startRotating(database, name);
    await shelve(one.api, 'mug', 1_000);
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await database.drop();
  });

  it('are rotated between a request and its retry: one order', async () => {
    const key = randomUUID();
    const first = await post(one, OLD, key);
    const again = await post(two, NEW, key);
    expect([first.status, isReplay(first), again.status, isReplay(again)]).toEqual([201, false, 201, true]);
    expect(again.body).toEqual(first.body);
    const held = await post(two, NEW, key, '/v1/reservations', HOLD);
    const heldAgain = await post(one, OLD, key, '/v1/reservations', HOLD);
    expect([held.status, isReplay(held), isReplay(heldAgain)]).toEqual([201, false, true]);
    expect(heldAgain.body).toEqual(held.body);
  });

  it('40 identical requests with both keys to both instances make one order', async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? post(one, OLD, key) : post(two, NEW, key))),
    );
    const orders = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
    expect(orders.size).toBe(1);
    const others = answers.filter(({ status, body }) => status !== 201 && body.code !== 'IDEMPOTENCY_IN_PROGRESS');
    expect(others).toEqual([]);
  });

  it('are apart from those of another client', async () => {
    const key = randomUUID();
    const [mine, theirs] = [await post(one, OLD, key), await post(two, APP, key)];
    expect([mine.status, theirs.status, isReplay(theirs)]).toEqual([201, 201, false]);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('cost one row each', async () => {
    const before = await database.query('SELECT id FROM idempotency_keys');
    await post(one, OLD, randomUUID());
    expect(await database.query('SELECT id FROM idempotency_keys')).toHaveLength(before.length + 1);
  });
});

/** How the release before named a request. */
function formerId(secret: string, route: string, key: string): Buffer {
  const keyId = `storefront:${createHash('sha256').update(secret).digest('hex').slice(0, 12)}`;
  return createHash('sha256')
    .update(JSON.stringify([keyId, null, route, key]))
    .digest();
}
const FORMER_CLAIM = `INSERT INTO idempotency_keys (id, fingerprint, saga_id, response, locked_until)
  SELECT $2, fingerprint, saga_id, response, locked_until FROM idempotency_keys WHERE id = $1 AND scoped_to = 'client'`;

describe('while the release before is in use', () => {
  let database: TestDatabase;
  let one: TestApp;
  let two: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    // As the migration does in a database that is in use.
    await database.query(`INSERT INTO idempotency_keys (id, fingerprint, locked_until) VALUES ('nobody', '', now())`);
    [one, two] = await startRotating(database, 'web=');
    await shelve(one.api, 'mug', 1_000);
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await database.drop();
  });

  const rowsOf = (fingerprint: Buffer) =>
    database.query<{ id: Buffer; scoped_to: string }>(
      'SELECT id, scoped_to, saga_id, response FROM idempotency_keys WHERE fingerprint = $1 ORDER BY scoped_to DESC',
      [fingerprint],
    );
  /** Every body is its own, so that its fingerprint finds its rows. */
  const someBody = () => basket('mug', { metadata: { run: randomUUID() } });
  const orderCount = async () => (await database.query('SELECT id FROM orders')).length;

  async function keyOf(
    path: string,
    sagaId: string | null,
    body: object,
  ): Promise<{ id: Buffer; fingerprint: Buffer }> {
    const [row] = await database.query<{ id: Buffer; fingerprint: Buffer }>(
      `SELECT id, fingerprint FROM idempotency_keys WHERE scoped_to = 'client'
       AND (saga_id = $1 OR $1 IS NULL AND response -> 'body' ->> 'id' = $2)`,
      [sagaId, (body as { id?: string }).id ?? ''],
    );
    if (!row) throw new Error(`${path} left no key`);
    return row;
  }

  /** Leaves what the release before would have left of the same request. */
  async function madeByFormerRelease(path: string, body: object, key: string): Promise<ApiResponse> {
    const answer = await post(one, OLD, key, path, body);
    expect(answer.status).toBe(201);
    const { id, fingerprint } = await keyOf(path, (answer.body.sagaId as string | undefined) ?? null, answer.body);
    await database.query(`DELETE FROM idempotency_keys WHERE fingerprint = $1 AND scoped_to = 'alias'`, [fingerprint]);
    await database.query(FORMER_CLAIM, [id, formerId(OLD, `POST ${path}`, key)]);
    await database.query('DELETE FROM idempotency_keys WHERE id = $1', [id]);
    return answer;
  }

  it.each([
    ['/v1/checkouts', () => someBody()],
    ['/v1/reservations', () => ({ ...HOLD, lines: [{ sku: 'mug', quantity: 1 + Math.floor(Math.random() * 9) }] })],
  ])('a retry of what it did through %s acts once, also with the rotated key', async (path, bodyOf) => {
    const [key, body] = [randomUUID(), bodyOf()];
    const first = await madeByFormerRelease(path, body, key);
    const before = await orderCount();
    for (const [app, apiKey] of [
      [one, OLD],
      [two, OLD],
      [two, NEW],
    ] as const) {
      const again = await post(app, apiKey, key, path, body);
      expect([again.status, isReplay(again)]).toEqual([201, true]);
      expect(again.body).toEqual(first.body);
    }
    const other = await post(two, NEW, key, path, { ...body, currency: 'USD' });
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await orderCount()).toBe(before);
  });

  it('it finds what this release does, by any key of the client', async () => {
    const [key, body] = [randomUUID(), someBody()];
    const made = await post(two, NEW, key, '/v1/checkouts', body);
    const { fingerprint } = await keyOf('/v1/checkouts', made.body.sagaId as string, made.body);
    const aliases = (await rowsOf(fingerprint)).filter(({ scoped_to }) => scoped_to === 'alias');
    const ids = aliases.map(({ id }) => id.toString('hex'));
    for (const secret of [OLD, NEW]) expect(ids).toContain(formerId(secret, 'POST /v1/checkouts', key).toString('hex'));
    expect(aliases).toEqual(aliases.map((row) => ({ ...row, saga_id: made.body.sagaId })));
  });

  it.each(['the prices are known', 'the prices have to be looked up'])(
    'of two requests at once, one to each release, one acts (%s)',
    async (prices) => {
      const [key, body] = [randomUUID(), someBody()];
      const other = await post(one, OLD, randomUUID(), '/v1/checkouts', body); // the other release's order
      const { id } = await keyOf('/v1/checkouts', other.body.sagaId as string, other.body);
      const before = await orderCount();
      const former = new pg.Client({ connectionString: database.url });
      await former.connect();
      try {
        await former.query('BEGIN');
        await former.query(FORMER_CLAIM, [id, formerId(OLD, 'POST /v1/checkouts', key)]);
        if (prices === 'the prices have to be looked up')
          await one.api.put('/v1/skus/mug', { name: `Mug ${key}`, unitAmount: 1_000, currency: 'EUR' });
        const answer = post(one, OLD, key, '/v1/checkouts', body);
        await eventually('a claim that waits for the other', async () => {
          const waiting = await database.query(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '%idempotency_keys%'`,
          );
          return waiting.length > 0 || undefined;
        });
        await former.query('COMMIT');
        const { status, body: replayed, headers } = await answer;
        expect([status, headers.get('idempotent-replayed'), replayed.id]).toEqual([201, 'true', other.body.id]);
        expect(await orderCount()).toBe(before);
        const half = await database.query(`SELECT 1 FROM idempotency_keys WHERE id = $1`, [
          formerId(NEW, 'POST /v1/checkouts', key),
        ]);
        expect(half).toEqual([]);
      } finally {
        await former.end();
      }
    },
  );

  it('a refusal is remembered under all names or none', async () => {
    const [mine, theirs] = [Buffer.from(randomUUID()), Buffer.from(randomUUID())];
    const keys = one.app.get(IdempotencyRepository);
    const db = one.app.get(TransactionRunner);
    await database.query(`INSERT INTO idempotency_keys (id, fingerprint, locked_until) VALUES ($1, '', now())`, [
      theirs,
    ]);
    const response = { status: 409, body: {} };
    await keys.remember(db, [mine, theirs], Buffer.of(1), response);
    expect(await keys.find(db, [[mine]])).toEqual([undefined]);
    await keys.remember(db, [mine], Buffer.of(1), response);
    expect(await keys.find(db, [[mine]])).toMatchObject([{ response }]);
  });

  it('lasts until the last key of that release is forgotten', async () => {
    const aliasesOf = async () => {
      const made = await post(one, OLD, randomUUID(), '/v1/checkouts', someBody());
      const { fingerprint } = await keyOf('/v1/checkouts', made.body.sagaId as string, made.body);
      return (await rowsOf(fingerprint)).length - 1;
    };
    expect(await aliasesOf()).toBe(2); // of the secret, and of the entry as a whole
    await database.query(
      `UPDATE idempotency_keys SET expires_at = now() WHERE id <> 'nobody' AND scoped_to = 'secret'`,
    );
    await one.app.get(IdempotencyPurgeJob).run();
    expect(await aliasesOf()).toBe(2);
    await database.query(`UPDATE idempotency_keys SET expires_at = now() WHERE scoped_to = 'secret'`);
    await database.query(`UPDATE sagas SET updated_at = now() - interval '25 hours' WHERE state = 'COMPLETED'`);
    await one.app.get(IdempotencyPurgeJob).run();
    expect(await aliasesOf()).toBe(0);
    // An instance of that release that was forgotten somewhere is noticed again.
    await database.query(`INSERT INTO idempotency_keys (id, fingerprint, locked_until) VALUES ('late', '', now())`);
    await one.app.get(KeyScopeTransition).look();
    expect(await aliasesOf()).toBe(2);
  });
});
