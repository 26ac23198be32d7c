import { parseArgs } from 'node:util';
import pg from 'pg';
import { KEYS } from '../test/setup/app-process.js';
import { ApiClient } from '../test/setup/api-client.js';
import { eventually } from '../test/setup/eventually.js';
import { setFaults, stuckCancellation } from '../test/setup/outages.js';
import { basket, checkOut } from '../test/setup/shop.js';
import { startBacking } from './processes.js';
import { table } from './report.js';
import { seedOrders } from './seed-orders.js';
import { HOT_SKU, SPREAD_SKUS, startOurs } from './systems.js';

const LIMIT_MS = 200;
const CALLS = 7;
const MODELS = 300;
const COLD_SKU = SPREAD_SKUS.at(-1)!;
/** A cancellation gets stuck at once rather than after a minute. */
/** Not production, where nobody can make the sandbox fail. */
const SETTINGS = { NODE_ENV: 'test', SAGA_BACKOFF_FACTOR: '0.001', LOG_LEVEL: 'fatal' };
const admin = { key: 'admin' } as const;

/** A callback and a delivery for every order: what an operator looks up by order must not be read by order. */
const OUTSIDE = [
  `INSERT INTO webhook_inbox (id, provider, event_id, type, transaction_id, event, state, attempts, processed_at)
   SELECT uuidv7(), provider, 'evt_' || id, 'charge.captured', transaction_id, json_build_object('orderId', order_id), 'PROCESSED', 1, now()
   FROM payments WHERE transaction_id IS NOT NULL ON CONFLICT DO NOTHING`,
  `INSERT INTO webhook_endpoints (id, url, events, secret) VALUES (gen_random_uuid(), 'https://shop.example/hooks', '{order.confirmed}', '')`,
  `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, type, subject, body, state, attempts, delivered_at)
   SELECT uuidv7(), (SELECT id FROM webhook_endpoints LIMIT 1), gen_random_uuid(), 'order.confirmed', id, '{}', 'DELIVERED', 1, now() FROM orders`,
  `ANALYZE webhook_inbox, webhook_deliveries`,
];

interface Known {
  readonly orderId: string;
  readonly oldOrderId: string;
  readonly sagaId: string;
  readonly transactionId: string;
  readonly cursor: string;
}

/** What the console asks for; the rare ones are where nothing but a walk through the table would find them. */
function questions({ orderId, oldOrderId, sagaId, transactionId, cursor }: Known): Readonly<Record<string, string>> {
  return {
    'orders, newest': '/v1/orders?limit=50',
    'orders, in the middle of all': `/v1/orders?limit=50&cursor=${cursor}`,
    'orders by state, common': '/v1/orders?state=CONFIRMED&limit=50',
    'orders by state, rare and old': '/v1/orders?state=CANCELLED&limit=50',
    'orders by SKU, hot': `/v1/orders?sku=${HOT_SKU}&limit=50`,
    'orders by SKU, cold': `/v1/orders?sku=${COLD_SKU}&limit=50`,
    'orders by SKU and state, hot and rare': `/v1/orders?sku=${HOT_SKU}&state=REJECTED&limit=50`,
    'orders by e-mail': '/v1/orders?email=ada@example.com&limit=50',
    'orders by Idempotency-Key': '/v1/orders?idempotencyKey=the-key&limit=50',
    'orders by transaction': `/v1/orders?transactionId=${transactionId}`,
    'orders of a day': '/v1/orders?createdFrom=2026-01-01T00:00:00Z&createdTo=2036-01-01T00:00:00Z&state=REJECTED',
    'sagas, newest': '/v1/sagas?limit=50',
    'sagas by state, common': '/v1/sagas?state=COMPLETED&limit=50',
    'sagas by state, rare and old': '/v1/sagas?state=COMPENSATED&limit=50',
    'sagas that are stuck': '/v1/sagas?state=STUCK&limit=50',
    'sagas of an order': `/v1/sagas?subject=${orderId}`,
    'a saga': `/v1/sagas/${sagaId}`,
    'an order, new: its page': `/v1/orders/${orderId}/dossier`,
    'an order, old: its page': `/v1/orders/${oldOrderId}/dossier`,
    'an order beside the provider': `/v1/orders/${orderId}/comparison`,
    'search by id': `/v1/search?q=${oldOrderId}`,
    'search by e-mail': '/v1/search?q=ada@example.com',
    'search by key': '/v1/search?q=the-key',
    'what needs a person': '/v1/attention',
    overview: '/v1/overview',
    'hot SKUs': '/v1/hot-skus',
    'audit trail': '/v1/operator-actions?limit=50',
    'history of invariants': '/v1/invariants/history',
    'callbacks, dead': '/v1/webhook-events?state=DEAD',
    'bulk runs': '/v1/bulk-runs',
  };
}

/** npm run bench:console -- [--orders 1000000]: every list of the console, and one order's page, with so many orders. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { orders: { type: 'string', default: '1000000' } } });
  const backing = await startBacking();
  const system = await startOurs(backing, 'console', [], undefined, SETTINGS);
  const client = new pg.Client({ connectionString: system.url });
  try {
    await client.connect();
    const api = new ApiClient(`http://127.0.0.1:${system.server!.port}`, KEYS);
    await sellModels(api);
    await fill(client, Number(values.orders));
    const known = await sellNew(api, client);
    const rows = await measureAll(api, questions(known));
    const count = await system.confirmedOrders();
    process.stdout.write(`${table([`with ${count} orders`, 'first ms', 'median ms', 'longest ms', 'items'], rows)}\n`);
    const slow = rows.filter(([, first, , longest]) => Math.max(Number(first), Number(longest)) > LIMIT_MS);
    for (const [name] of slow) process.stdout.write(`slower than ${LIMIT_MS} ms: ${name}\n`);
    return slow.length;
  } finally {
    await client.end();
    await system.stop();
    await backing.stop();
  }
}

/** What the copies are made of: mostly the hot SKU, of everybody. */
async function sellModels(api: ApiClient): Promise<void> {
  for (let made = 0; made < MODELS; made += 30)
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const sku = index % 10 === 0 ? SPREAD_SKUS[(made + index) % (SPREAD_SKUS.length - 1)]! : HOT_SKU;
        const customer = { id: `c-${made + index}`, email: `buyer${made + index}@example.com` };
        return api.post('/v1/checkouts', basket(sku, { customer }), { headers: { prefer: 'wait=25' } });
      }),
    );
}

async function fill(client: pg.Client, orders: number): Promise<void> {
  await seedOrders(client, orders, (done) => process.stderr.write(`${done} orders\n`));
  for (const sql of OUTSIDE) await client.query(sql);
  // The only one of its kind, and the oldest: nothing but a walk finds it.
  await client.query(
    `UPDATE orders SET state = 'CANCELLED' WHERE id = (SELECT id FROM orders WHERE state = 'CONFIRMED' ORDER BY id LIMIT 1)`,
  );
}

async function sellNew(api: ApiClient, client: pg.Client): Promise<Known> {
  const customer = { id: 'ada', email: 'ada@example.com' };
  const { body } = await api.post('/v1/checkouts', basket(COLD_SKU, { customer }), { idempotencyKey: 'the-key' });
  for (let bought = 0; bought < 20; bought += 1) await checkOut(api, HOT_SKU, 'pm_card_chargeDeclined');
  await Promise.all(Array.from({ length: 30 }, () => checkOut(api, HOT_SKU)));
  await stuckCancellation(api, HOT_SKU);
  await setFaults(api);
  const { rows } = await client.query<{ id: string; old: string }>(
    `SELECT (SELECT id FROM orders ORDER BY id OFFSET (SELECT count(*) / 2 FROM orders) LIMIT 1) AS id, (SELECT id FROM orders ORDER BY id LIMIT 1) AS old`,
  );
  const payment = await client.query<{ transaction: string }>(
    `SELECT transaction_id AS transaction FROM payments WHERE order_id = $1`,
    [body.id],
  );
  const transactionId = payment.rows[0]!.transaction;
  return { orderId: body.id, sagaId: body.sagaId, oldOrderId: rows[0]!.old, cursor: rows[0]!.id, transactionId };
}

type Row = [string, string, string, string, number];

async function measureAll(api: ApiClient, asked: Readonly<Record<string, string>>): Promise<Row[]> {
  await eventually(
    'the service has warmed up',
    async () => (await api.get('/v1/orders?limit=1', admin)).status === 200,
  );
  const rows: Row[] = [];
  for (const [name, path] of Object.entries(asked)) {
    const times: number[] = [];
    let items = 0;
    for (let call = 0; call < CALLS; call += 1) {
      const startedAt = performance.now();
      const { status, body } = await api.get(path, admin);
      times.push(performance.now() - startedAt);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      items = (body.items ?? body.groups ?? body.axis ?? []).length;
    }
    const [first, ...rest] = times;
    const sorted = rest.toSorted((a, b) => a - b);
    const shown = [first!, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!].map((ms) => ms.toFixed(0));
    rows.push([name, shown[0]!, shown[1]!, shown[2]!, items]);
  }
  return rows;
}

main().then(
  (slow) => process.exit(slow === 0 ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
