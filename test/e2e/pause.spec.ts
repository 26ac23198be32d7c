import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse } from '../setup/api-client.js';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { basket, chargesOf, shelve } from '../setup/shop.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../setup/test-database.js';

/** Outside any transaction, inside one, before the provider was asked, and after it has charged. */
const POINTS = [
  'before-commit:create-order:execute',
  'before-call:process-payment:call',
  'after-call:process-payment:call',
  'before-commit:process-payment:call',
];

/** So much to write that most of the transaction has gone ahead when it pauses, and its rows are locked. */
const LARGE_BASKET = Array.from({ length: 60 }, (_, number) => `paused-${'x'.repeat(150)}-${number}`);
const CASES = [
  ...POINTS.map((point) => ({ point, skus: ['paused'], size: 'small' })),
  { point: 'before-commit:create-order:execute', skus: LARGE_BASKET, size: 'large' },
];

describe('an instance that is paused in the middle of a step', () => {
  let database: TestDatabase;
  let awake: AppProcess;
  const env = () => ({
    DATABASE_URL: database.url,
    REDIS_URL: requiredEnv('TEST_REDIS_URL'),
    SAGA_LEASE_MS: '1000',
    // What a paused transaction has locked is given up after this.
    DATABASE_STATEMENT_TIMEOUT_MS: '1500',
    DATABASE_POOL_SIZE: '6',
  });
  beforeAll(async () => {
    database = await createTestDatabase();
    awake = await startAppProcess(env());
    for (const sku of ['paused', ...LARGE_BASKET]) await shelve(awake.api, sku, 100);
  });
  afterAll(async () => {
    await awake.stop('SIGKILL');
    await database.drop();
  });

  const everything = () =>
    database.query(
      `SELECT sagas.id, sagas.state, phase, epoch, owner, log_lines, orders.state AS ordered, payments.state AS paid,
         (SELECT count(*)::int FROM outbox WHERE outbox.subject = sagas.subject) AS events
       FROM sagas JOIN orders ON saga_id = sagas.id LEFT JOIN payments ON payments.order_id = orders.id ORDER BY 1`,
    );

  const openTransactions = () =>
    database.query(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND xact_start IS NOT NULL AND wait_event = 'ClientRead'
         AND query NOT LIKE '%pg_stat_activity%'`,
    );

  it.each(CASES)(
    'at $point with a $size basket: another takes over, and the sleeper writes nothing when it wakes',
    async ({ point, skus }) => {
      const sleeper = await startAppProcess({
        ...env(),
        // The test has to see the transaction before it is given up.
        ...(skus === LARGE_BASKET && { DATABASE_STATEMENT_TIMEOUT_MS: '10000' }),
        FAULT_POINT: `${point}=stop`,
      });
      const key = randomUUID();
      const lines = skus.map((sku) => ({ sku, quantity: 1 }));
      const body = basket('paused', { lines, metadata: { tag: key } });
      const first = sleeper.api.post('/v1/checkouts', body, { idempotencyKey: key });
      await eventually(`${point} is reached`, () => sleeper.output().includes('reached'));
      if (skus === LARGE_BASKET) {
        await eventually(
          'the server waits for the rest of the transaction',
          async () => (await openTransactions()).length === 1,
        );
      }

      const outcome = await eventually('an outcome', async (): Promise<ApiResponse | undefined> => {
        const answer = await awake.api.post('/v1/checkouts', body, { idempotencyKey: key });
        return answer.status === 201 ? answer : undefined;
      });
      const before = await everything();
      sleeper.signal('SIGCONT');
      const answer = await first;
      // The same order, or word that it is not known here: never another outcome, never a second order.
      expect([201, 409, 503]).toContain(answer.status);
      if (answer.status === 201) expect(answer.body.id).toBe(outcome.body.id);
      else expect(answer.body.code).toMatch(/IDEMPOTENCY_IN_PROGRESS|DEPENDENCY_UNAVAILABLE/);
      const again = await eventually('word from the sleeper', async () => {
        try {
          return await sleeper.api.post('/v1/checkouts', body, { idempotencyKey: key });
        } catch {
          return undefined; // a connection that the sleeper has closed as idle
        }
      });
      expect(again).toMatchObject({ status: 201, body: { id: outcome.body.id, state: 'CONFIRMED' } });
      await delay(300);
      expect(await everything()).toEqual(before);
      expect(await chargesOf(database, outcome.body.id)).toEqual({ charges: 1, net: 1_000 * skus.length });
      const orders = await database.query(`SELECT id FROM orders WHERE metadata->>'tag' = $1`, [key]);
      expect(orders).toEqual([{ id: outcome.body.id }]);
      expect(await violations(database)).toEqual({});
      await sleeper.stop('SIGKILL');
    },
  );
});
