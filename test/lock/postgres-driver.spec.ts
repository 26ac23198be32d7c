import pg from 'pg';
import { PostgresDriver } from '../../src/lock/drivers/postgres/postgres.driver.js';
import { eventually } from '../setup/eventually.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

describe('the postgres driver', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let driver: PostgresDriver;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 4 });
    driver = new PostgresDriver(pool, 'p');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const request = (owner: string, timeoutMs: number) => ({
    keys: ['k'],
    owner,
    leaseMs: 600_000,
    floor: 0n,
    spare: 0,
    heirOf: '',
    since: 0,
    timeoutMs,
  });

  it('leaves nothing behind where a request is executed after it was given up', async () => {
    await driver.acquire(request('p.1', 60_000));
    await driver.release({ keys: ['k'], owner: 'p.1', token: 0n, since: 0 });
    const writer = await pool.connect();
    try {
      await writer.query(`BEGIN; SELECT FROM lock_leases WHERE key = 'k' FOR UPDATE`);
      await expect(driver.acquire(request('p.2', 50))).rejects.toThrow('did not answer');
      await database.query('SELECT pg_sleep(0.2)'); // time for a release that would overtake it
    } finally {
      await writer.query('COMMIT');
      writer.release();
    }
    const isWaiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%lock_acquire%' AND state = 'active' AND pid <> pg_backend_pid()`;
    await eventually('it was executed', async () => (await database.query(isWaiting)).length === 0);
    await eventually('the key is free', async () => !(await driver.isHeld(['k'])));
    expect(await driver.acquire(request('p.3', 60_000))).toMatchObject({ isGranted: true });
  });
});
