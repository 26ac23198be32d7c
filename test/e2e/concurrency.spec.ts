import type { ApiResponse } from '../setup/api-client.js';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { violations } from '../setup/invariants.js';
import { scaled } from '../setup/scale.js';
import { basket, outcomeOf, shelve } from '../setup/shop.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../setup/test-database.js';

const BUYERS = 64;
const CHECKOUTS = scaled(800, 4_000);
const SKUS = 50;
/** Less than what is asked for, so that some of the shelf is sold out on the way. */
const ON_HAND = Math.round((CHECKOUTS * 45) / 2_000);
const METHODS = [
  ...Array<string>(8).fill('pm_card_visa'),
  'pm_card_chargeDeclined',
  'pm_card_chargeDeclinedInsufficientFunds',
];

describe(`two instances, ${BUYERS} buyers, ${CHECKOUTS} checkouts over ${SKUS} SKUs`, () => {
  let database: TestDatabase;
  let instances: AppProcess[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, REDIS_URL: requiredEnv('TEST_REDIS_URL') };
    instances = await Promise.all([startAppProcess(env), startAppProcess(env)]);
    await Promise.all(skus().map((sku) => shelve(instances[0]!.api, sku, ON_HAND)));
  });
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop('SIGKILL')));
    await database.drop();
  });

  it('answer what became of each order, and keep every invariant', async () => {
    const answers: ApiResponse[] = [];
    let next = 0;
    const since = performance.now();
    const buyer = async (number: number) => {
      const { api } = instances[number % instances.length]!;
      while (next < CHECKOUTS) {
        const turn = (next += 1);
        const lines = [turn % SKUS, (turn * 7 + 3) % SKUS].map((sku) => ({ sku: `crowd-${sku}`, quantity: 1 }));
        const method = METHODS[turn % METHODS.length];
        const body = basket('', { lines, payment: { method } });
        answers.push(
          await outcomeOf('a checkout', (idempotencyKey) => api.post('/v1/checkouts', body, { idempotencyKey })),
        );
      }
    };
    await Promise.all(Array.from({ length: BUYERS }, (_, number) => buyer(number)));
    const seconds = (performance.now() - since) / 1_000;

    const counts = new Map<string, number>();
    for (const { status, body } of answers) {
      const kind = `${status} ${body.code ?? body.state}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    process.stdout.write(
      `\n${answers.length} checkouts in ${seconds.toFixed(1)} s: ${JSON.stringify(Object.fromEntries(counts))}\n`,
    );
    expect([...counts.keys()].sort()).toEqual(['201 CONFIRMED', '402 PAYMENT_DECLINED', '409 OUT_OF_STOCK']);
    expect(await mismatches(answers)).toEqual([]);
    expect(await violations(database)).toEqual({});
    const { body } = await instances[1]!.api.get('/v1/invariants', { key: 'admin' });
    expect(body.ok).toBe(true);
    expect(await oversold()).toEqual([]);
  });

  const skus = () => Array.from({ length: SKUS }, (_, number) => `crowd-${number}`);

  async function mismatches(answers: readonly ApiResponse[]): Promise<unknown[]> {
    const orders = await database.query<{ id: string; state: string; code: string | null }>(
      `SELECT id, state, rejection->>'code' AS code FROM orders`,
    );
    const byId = new Map(orders.map((order) => [order.id, order]));
    expect(byId.size).toBe(answers.length);
    return answers.filter(({ status, body }) => {
      const order = byId.get(status === 201 ? body.id : body.orderId);
      return status === 201 ? order?.state !== 'CONFIRMED' : order?.state !== 'REJECTED' || order.code !== body.code;
    });
  }

  const oversold = () =>
    database.query(
      `SELECT line->>'sku' AS sku, count(*) FROM orders, jsonb_array_elements(lines) AS line
       WHERE state = 'CONFIRMED' GROUP BY 1 HAVING sum((line->>'quantity')::int) > $1`,
      [ON_HAND],
    );
});
