import pg from 'pg';
import { sleep } from '../../../src/common/backoff.js';
import { isUnavailable } from '../../../src/platform/postgres/sqlstate.js';
import { statement } from '../../../src/platform/postgres/statement.js';
import { boundedPool } from '../../../src/platform/postgres/bounded-client.js';
import { TransactionRunner } from '../../../src/platform/postgres/transaction-runner.js';
import { createTestDatabase, TestDatabase } from '../../setup/test-database.js';

const PID = statement('test.pid', 'SELECT pg_backend_pid() AS pid');

describe('a connection that the server ends', () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ ...boundedPool(30_000), connectionString: database.url, max: 1 });
    pool.on('error', () => undefined);
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const terminate = async (pid: number) => {
    await database.query('SELECT pg_terminate_backend($1)', [pid]);
    const isGone = async () =>
      (await database.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid])).length === 0;
    while (!(await isGone())) await sleep(10);
    await sleep(50);
  };

  it('fails the transaction between two of its statements, and not the process', async () => {
    const transactions = new TransactionRunner(pool);
    const lost = transactions.run(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(PID, []);
      await terminate(row!.pid);
      return tx.query(PID, []);
    });
    const error: unknown = await lost.catch((reason: unknown) => reason);
    expect(isUnavailable(error)).toBe(true);
    await expect(transactions.query(PID, [])).resolves.toHaveLength(1);
  });
});
