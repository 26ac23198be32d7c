import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { RetentionJob } from '../../src/audit/retention/retention.job.js';
import { buy, newAccount, newCoupon, usesOf } from '../setup/balances.js';
import { programOf } from '../setup/programs.js';
import { checkOut, expectSound, newSku, newSkuId, orderOf } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

const DOCUMENT = path.resolve(import.meta.dirname, '../../docs/database.md');
const admin = { key: 'admin' } as const;

describe('what is kept, and for how long', () => {
  let app: TestApp;
  let sku: string;
  beforeAll(async () => {
    app = await startTestApp({ SANDBOX_AUTHENTICATION_MS: '0' });
    sku = await newSku(app.api, 1_000);
  });
  afterAll(() => app.close());

  const count = async (table: string, where: string, ...params: unknown[]) => {
    const [row] = await app.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE ${where}`,
      params,
    );
    return row!.count;
  };
  /** The key says how old a row is: here it says that it is from 1970. */
  const age = async (table: string, column: string, id: string): Promise<string> => {
    const old = `00000000-0000-7${id.slice(15)}`;
    await app.database.query(`UPDATE ${table} SET ${column} = $2 WHERE ${column} = $1`, [id, old]);
    return old;
  };

  it('deletes old sagas that have ended, keeps open ones and those that an operator has touched', async () => {
    const [ended, declined, audited] = [
      await checkOut(app.api, sku),
      await checkOut(app.api, sku, 'pm_card_chargeDeclined'),
      await checkOut(app.api, sku),
    ];
    const waiting = await checkOut(app.api, sku, 'pm_card_authenticationRequired', { prefer: 'respond-async' });
    const young = await checkOut(app.api, sku);
    const sagaOf = async (orderId: string) => String((await orderOf(app.api, orderId)).sagaId);
    const auditedSaga = await age('sagas', 'id', audited.body.sagaId);
    await app.database.query(
      `INSERT INTO saga_audit (saga_id, verb, actor, reason, from_state, to_state) VALUES ($1, 'retry', 'test', 'test', 'STUCK', 'RUNNING')`,
      [auditedSaga],
    );
    const aged = [
      await age('sagas', 'id', ended.body.sagaId),
      await age('sagas', 'id', await sagaOf(declined.body.orderId)),
      auditedSaga,
      await sagaOf(waiting.body.id),
      young.body.sagaId,
    ];
    await app.app.get(RetentionJob).run();
    const left = await app.database.query<{ id: string }>(`SELECT id FROM sagas WHERE id = ANY ($1)`, [aged]);
    expect(left.map(({ id }) => id).sort()).toEqual(aged.slice(2).sort());
    await expectSound(app.api);
  });

  it('deletes old timelines, callbacks and holds that came to nothing, and nothing of the books', async () => {
    const { body: order } = await checkOut(app.api, sku);
    await app.database.query(
      `UPDATE order_timeline SET order_id = '00000000-0000-7000-8000-000000000001' WHERE order_id = $1`,
      [order.id],
    );
    const body = { currency: 'EUR', lines: [{ sku, quantity: 1 }] };
    const { body: hold } = await app.api.post('/v1/reservations', body);
    await app.api.delete(`/v1/reservations/${hold.id}`, { headers: { 'x-access-token': hold.accessToken } });
    await app.database.query(`ALTER TABLE reservation_lines DROP CONSTRAINT reservation_lines_reservation_id_fkey`);
    await age('reservation_lines', 'reservation_id', hold.id);
    const oldHold = await age('reservations', 'id', hold.id);
    await app.database.query(`ALTER TABLE reservation_lines ADD CONSTRAINT reservation_lines_reservation_id_fkey
      FOREIGN KEY (reservation_id) REFERENCES reservations (id) ON DELETE CASCADE`);
    await app.database.query(
      `INSERT INTO webhook_inbox (id, provider, event_id, type, transaction_id, event, state) VALUES
       ('00000000-0000-7000-8000-000000000002', 'sandbox', 'old', 'charge.succeeded', 'ch_1', '{}', 'PROCESSED'),
       ('00000000-0000-7000-8000-000000000003', 'sandbox', 'dead', 'charge.succeeded', 'ch_2', '{}', 'DEAD')`,
    );
    await app.database.query(
      `INSERT INTO dead_letters (id, source, code, reason, deliveries, state) VALUES
       ('00000000-0000-7000-8000-000000000004', 'old', 'X', 'x', 1, 'DISCARDED'),
       ('00000000-0000-7000-8000-000000000005', 'open', 'X', 'x', 1, 'OPEN')`,
    );
    const books = () =>
      Promise.all(['orders', 'payments', 'refunds', 'stock_movements'].map((each) => count(each, 'true')));
    const before = await books();
    await app.app.get(RetentionJob).run();
    expect(await count('order_timeline', `order_id < '00000000-0001-0000-0000-000000000000'`)).toBe(0);
    expect(await count('reservations', 'id = $1', oldHold)).toBe(0);
    expect(await count('reservation_lines', 'reservation_id = $1', oldHold)).toBe(0);
    expect(await app.database.query(`SELECT state FROM webhook_inbox WHERE event_id IN ('old', 'dead')`)).toEqual([
      { state: 'DEAD' },
    ]);
    expect(await app.database.query(`SELECT source FROM dead_letters`)).toEqual([{ source: 'open' }]);
    expect(await books()).toEqual(before);
    await expectSound(app.api);
  });

  it('deletes old tickets of sales that are over, and what operators did long ago', async () => {
    const old = (digit: number) => `00000000-0000-7000-8000-00000000001${digit}`;
    await app.database.query(
      `INSERT INTO sales (id, sku_group, starts_at, ended_at, admit_per_second, max_active, ticket_ttl_seconds, seed) VALUES
       ('over', 'g', now() - interval '1 year', now() - interval '1 day', 1, 1, 60, 's'),
       ('on', 'g', now() - interval '1 year', NULL, 1, 1, 60, 's')`,
    );
    await app.database.query(
      `INSERT INTO sale_tickets (id, sale_id, arrival, customer_id, created_at) VALUES
       ($1, 'over', 1, 'ada', now()), ($2, 'on', 1, 'ada', now()), (uuidv7(), 'over', 2, 'bob', now())`,
      [old(1), old(2)],
    );
    await app.database.query(
      `INSERT INTO operator_actions (id, verb, subject_kind, subject, actor, reason) VALUES
       ($1, 'old', 'saga', 's', 'a', 'r'), (uuidv7(), 'young', 'saga', 's', 'a', 'r')`,
      [old(3)],
    );
    const { sagaId } = (await checkOut(app.api, sku)).body;
    await app.database.query(
      `INSERT INTO saga_audit (saga_id, verb, actor, reason, from_state, to_state, created_at) VALUES
       ($1, 'retry', 'old', 'r', 'STUCK', 'RUNNING', now() - interval '4 years'), ($1, 'retry', 'young', 'r', 'STUCK', 'RUNNING', now())`,
      [sagaId],
    );
    await app.database.query(
      `INSERT INTO sale_audit (sale_id, verb, actor, detail, created_at) VALUES ('over', 'end', 'old', '{}', now() - interval '4 years')`,
    );
    await app.app.get(RetentionJob).run();
    const tickets = await app.database.query(
      `SELECT sale_id AS sale, customer_id AS customer FROM sale_tickets ORDER BY 1`,
    );
    expect(tickets).toEqual([
      { sale: 'on', customer: 'ada' },
      { sale: 'over', customer: 'bob' },
    ]);
    expect(await app.database.query(`SELECT verb FROM operator_actions WHERE subject = 's'`)).toEqual([
      { verb: 'young' },
    ]);
    expect(await app.database.query(`SELECT actor FROM saga_audit WHERE saga_id = $1`, [sagaId])).toEqual([
      { actor: 'young' },
    ]);
    expect(await count('sale_audit', `actor = 'old'`)).toBe(0);
    await app.database.query(`DELETE FROM sale_tickets`);
    await app.database.query(`DELETE FROM sales`);
  });

  it('is said for every table', async () => {
    const rows = await app.database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    const [, section = ''] = readFileSync(DOCUMENT, 'utf8').split('## What grows');
    const cells = [...section.matchAll(/^\| [^|]+ \| ([^|]+) \|$/gm)].flatMap(([, cell = '']) => [
      ...cell.matchAll(/`([a-z_]+)`/g),
    ]);
    expect(cells.map(([, name]) => name).sort()).toEqual(rows.map(({ name }) => name));
  });

  it('forgets a customer at their request, keeps the books, and records who did it', async () => {
    const buy = (customer: object, method = 'pm_card_visa') =>
      app.api.post(
        '/v1/checkouts',
        {
          currency: 'EUR',
          lines: [{ sku, quantity: 1 }],
          customer,
          metadata: { note: 'for Ada Lovelace' },
          payment: { method },
        },
        { headers: { prefer: 'wait=25' } },
      );
    const { body: order } = await buy({ id: 'ada', email: 'Ada@Example.com' });
    const { body: asGuest } = await buy({ email: 'ada@example.com' });
    const { body: others } = await buy({ id: 'bob', email: 'bob@example.com' });
    const waiting = await app.api.post(
      '/v1/checkouts',
      {
        currency: 'EUR',
        lines: [{ sku, quantity: 1 }],
        customer: { id: 'ada' },
        payment: { method: 'pm_card_authenticationRequired' },
      },
      { headers: { prefer: 'respond-async' } },
    );
    const refused = await app.api.post('/v1/customers/ada/erase', { reason: 'r' });
    expect(refused.status).toBe(403);
    const request = { reason: 'ticket 4711', email: 'ada@example.com' };
    const { status, body } = await app.api.post('/v1/customers/ada/erase', request, admin);
    expect({ status, orders: body.orders, openOrders: body.openOrders }).toEqual({
      status: 200,
      orders: 2,
      openOrders: 1,
    });
    for (const { id } of [order, asGuest])
      expect(await orderOf(app.api, id)).toMatchObject({
        customer: {},
        metadata: {},
        total: 1_000,
        state: 'CONFIRMED',
      });
    expect(await orderOf(app.api, others.id)).toMatchObject({ customer: { id: 'bob' } });
    expect((await orderOf(app.api, waiting.body.id)).customer).toEqual({ id: 'ada' });
    const sagas = await app.database.query(`SELECT data::text FROM sagas WHERE id = ANY ($1)`, [
      [order.sagaId, asGuest.sagaId],
    ]);
    expect(JSON.stringify(sagas)).not.toMatch(/"ada"|lovelace|example\.com/i);
    const [record] = await app.database.query(`SELECT actor, reason, orders FROM erasures WHERE id = $1`, [body.id]);
    expect(record).toEqual({ actor: 'admin', reason: 'ticket 4711', orders: 2 });
    await expectSound(app.api);
  });

  it('forgets what a customer has had of coupons and limits, and whose an empty account was', async () => {
    const [coupon, rare] = [await newCoupon(app.api, { maxPerCustomer: 1 }), newSkuId('rare')];
    await app.api.put(`/v1/skus/${rare}`, {
      name: 'Rare',
      unitAmount: 100,
      currency: 'EUR',
      onHand: 9,
      maxPerCustomer: 1,
    });
    const customer = { id: 'grace', email: 'grace@example.com' };
    const order = await buy(app.api, rare, { customer, coupons: [coupon] });
    expect(order.status).toBe(201);
    expect((await buy(app.api, rare, { customer })).body.code).toBe('LIMIT_EXCEEDED');
    const [empty, full] = [await newAccount(app.api, 0, 'grace'), await newAccount(app.api, 100, 'grace')];
    const { body } = await app.api.post('/v1/customers/grace/erase', { reason: 'ticket 4712' }, admin);
    expect(body).toMatchObject({ orders: 2, openOrders: 0, openAccounts: 1 });
    const owners = await app.database.query(`SELECT customer_id FROM accounts WHERE id = ANY ($1) ORDER BY balance`, [
      [empty, full],
    ]);
    expect(owners).toEqual([{ customer_id: null }, { customer_id: 'grace' }]);
    expect(await count('allowances', `customer IS NOT NULL AND key LIKE $1`, `limit|${rare}|%`)).toBe(0);
    expect(await usesOf(app.api, coupon)).toEqual({ redeemed: 1, held: 0 });
    await expectSound(app.api);
    // The books stand, and the order can still be cancelled: what nobody has any more is given back all the same.
    expect((await app.api.post(`/v1/orders/${order.body.id}/cancel`, {}, admin)).body.state).toBe('CANCELLED');
    expect(await usesOf(app.api, coupon)).toEqual({ redeemed: 0, held: 0 });
    await expectSound(app.api);
  });

  it('exports the orders as NDJSON', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'export-'));
    const file = path.join(directory, 'orders.ndjson');
    const env = { PATH: process.env['PATH'], NODE_ENV: 'test', DATABASE_URL: app.database.url };
    const { stderr } = await promisify(execFile)(process.execPath, [programOf('export'), file], { env });
    const orders = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(orders).toHaveLength(await count('orders', 'true'));
    expect(orders.find(({ state }) => state === 'CONFIRMED')).toMatchObject({
      total: 1_000,
      payment: { state: 'CAPTURED' },
      refunds: [],
    });
    expect(stderr).toContain(`100 %, ${orders.length} rows`);
    await rm(directory, { recursive: true });
  });
});
