import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { TransactionRunner } from '../../../src/platform/postgres/transaction-runner.js';
import { SagaClaimRepository } from '../../../src/saga/saga-claim.repository.js';
import { violations } from '../../setup/invariants.js';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.js';

const LEASE_MS = 60_000;
const KNOWN = ['toy@1'];

describe('the queue of open sagas', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let runner: TransactionRunner;
  const repository = new SagaClaimRepository();
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 4 });
    runner = new TransactionRunner(pool);
  });
  afterEach(async () => {
    expect(await violations(database)).toEqual({});
    await database.query('TRUNCATE sagas, saga_watch CASCADE');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** As release 0.1.0 writes them, too: what is not given is the default of a saga that is over its lease. */
  const insert = async (count: number, values: { state?: string; due?: string; version?: number } = {}) => {
    const { state = 'RUNNING', due = '-1 s', version = 1 } = values;
    const rows = await database.query<{ id: string }>(
      `INSERT INTO sagas (id, name, version, state, subject, position, phase, data, due_at)
       SELECT gen_random_uuid(), 'toy', $1, $2, 'x', 0, 'execute', '{}', now() + $3::interval FROM generate_series(1, $4) RETURNING id`,
      [version, state, due, count],
    );
    return rows.map(({ id }) => id);
  };
  const claim = async (limit = 100, known = KNOWN) =>
    (await repository.claim(runner, randomUUID().slice(0, 12), LEASE_MS, known, limit)).map(({ id }) => id).sort();
  const watched = async () =>
    database.query<{ seconds: number; size: number }>(
      `SELECT round(extract(epoch FROM due_at - now()))::int AS seconds, cardinality(saga_ids) AS size FROM saga_watch ORDER BY due_at`,
    );
  const watchedIds = async () =>
    (await database.query<{ id: string }>(`SELECT unnest(saga_ids) AS id FROM saga_watch`)).map(({ id }) => id).sort();

  it('has one row per batch, and none for sagas that are born ended', async () => {
    const ids = await insert(30, { due: '10 s' });
    await insert(3, { state: 'COMPENSATED' });
    expect(await watched()).toEqual([{ seconds: 10, size: 30 }]);
    expect(await watchedIds()).toEqual(ids.sort());
  });

  it('loses what has ended, and keeps whatever is open', async () => {
    const due = await insert(2);
    const stuck = await insert(1, { state: 'STUCK' });
    const later = await insert(1, { state: 'WAITING', due: '3600 s' });
    const foreign = await insert(1, { version: 2 });
    const ended = await insert(5);
    await database.query(`UPDATE sagas SET state = 'COMPLETED' WHERE id = ANY ($1)`, [ended]);
    expect(await claim()).toEqual(due.sort());
    expect(await watchedIds()).toEqual([...due, ...stuck, ...later, ...foreign].sort());
    expect(await claim(100, ['toy@2'])).toEqual(foreign); // left for those who know it
    expect(await claim()).toEqual([]);
    expect(await watchedIds()).toEqual([...due, ...stuck, ...later, ...foreign].sort());
  });

  it('leaves to the next claim, in one row, what is beyond the limit', async () => {
    for (let batch = 0; batch < 5; batch += 1) await insert(4);
    expect(await claim(7)).toHaveLength(7);
    expect((await watched()).map(({ size }) => size)).toEqual([13, 7]);
    expect(await claim(7)).toHaveLength(7);
    expect(await claim(7)).toHaveLength(6);
    expect(await claim(7)).toEqual([]);
  });

  it('gives a saga to one of many that claim at once, and skips what somebody is writing', async () => {
    const ids = await insert(40);
    const [first] = ids as [string];
    const writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query('UPDATE sagas SET attempts = 1 WHERE id = $1', [first]);
    const claims = await Promise.all([claim(15), claim(15), claim(15), claim(15)]);
    const rest = [...(await claim()), ...(await claim())];
    const all = [...claims.flat(), ...rest].sort();
    expect(all).toEqual(ids.filter((id) => id !== first).sort());
    await writer.query('COMMIT');
    await writer.end();
    expect(await claim()).toEqual([first]);
  });

  it('gets a saga that is due earlier than before, and one that a person has freed', async () => {
    const [waiting] = (await insert(1, { state: 'WAITING', due: '3600 s' })) as [string];
    const [stuck] = (await insert(1, { state: 'STUCK', due: '-60 s' })) as [string];
    expect(await claim()).toEqual([]);
    expect(await repository.wake(runner, waiting)).toBe(true);
    expect(await claim()).toEqual([waiting]);
    await database.query(`UPDATE sagas SET state = 'RUNNING', due_at = now() WHERE id = $1`, [stuck]);
    expect(await claim()).toEqual([stuck]);
  });

  it('loses nothing when the claim fails', async () => {
    const ids = await insert(3);
    await database.query(`ALTER TABLE sagas ADD CONSTRAINT test_refuses CHECK (epoch < 2)`);
    await expect(claim()).rejects.toThrow(/test_refuses/);
    await database.query(`ALTER TABLE sagas DROP CONSTRAINT test_refuses`);
    expect(await claim()).toEqual(ids.sort());
  });
});
