import { TransactionRunner } from '../../src/infrastructure/database/transaction-runner.js';
import { statement } from '../../src/infrastructure/database/statement.js';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const ADD = statement('test.add', `UPDATE test_counter SET value = value + $2 WHERE id = $1`);
const INSERT = statement('test.insert', `INSERT INTO test_counter (id, value) VALUES ($1, $2)`);
const READ = statement('test.read', `SELECT value FROM test_counter WHERE id = $1`);
const TERMINATE = statement('test.terminate', `SELECT pg_terminate_backend($1)`);
const PID = statement('test.pid', `SELECT pg_backend_pid() AS pid`);

describe('TransactionRunner', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let runner: TransactionRunner;
  beforeAll(async () => {
    database = await createTestDatabase();
    // The options of the application: pipelining is what hides the cause of a failure behind its echo.
    pool = new pg.Pool({ connectionString: database.url, max: 4, pipeline: true } as pg.PoolConfig);
    pool.on('error', () => undefined);
    runner = new TransactionRunner(pool);
    await database.query(`CREATE TABLE test_counter (id int PRIMARY KEY, value int NOT NULL CHECK (value < 100))`);
    await database.query(`INSERT INTO test_counter VALUES (1, 0), (2, 0)`);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const valueOf = async (id: number) =>
    (await database.query<{ value: number }>(`SELECT value FROM test_counter WHERE id = $1`, [id]))[0]?.value;

  it('retries the whole closure after a deadlock, in a fresh transaction', async () => {
    let runs = 0;
    const together = barrier(2);
    const cross = (first: number, second: number) =>
      runner.run(async (tx) => {
        runs += 1;
        await tx.query(ADD, [first, 1]);
        await together();
        // Sent without waiting: the deadlock is met by a statement whose answer nobody looks at.
        tx.send(ADD, [second, 1]);
        await tx.query(READ, [first]);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(runs).toBe(3);
    expect([await valueOf(1), await valueOf(2)]).toEqual([2, 2]);
  });

  it('says why it failed, not that an earlier statement had failed', async () => {
    const failing = runner.run(async (tx) => {
      tx.send(INSERT, [1, 0]);
      await tx.query(READ, [1]);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    const checked = runner.run((tx) => {
      tx.check(INSERT, [10, 1_000], () => undefined);
      tx.send(READ, [1]);
      return Promise.resolve();
    });
    await expect(checked).rejects.toMatchObject({ code: '23514' });
  });

  it('commits nothing of a closure that throws, nor of one whose last statement fails unseen', async () => {
    await expect(
      runner.run((tx) => {
        tx.send(INSERT, [20, 1]);
        return Promise.reject(new Error('changed my mind'));
      }),
    ).rejects.toThrow('changed my mind');
    await expect(
      runner.run((tx) => {
        tx.send(INSERT, [21, 1]);
        tx.send(INSERT, [22, 1_000]);
        return Promise.resolve();
      }),
    ).rejects.toMatchObject({ code: '23514' });
    expect([await valueOf(20), await valueOf(21)]).toEqual([undefined, undefined]);
  });

  it('refuses the commit when a check refuses what it saw', async () => {
    const refused = runner.run((tx) => {
      tx.send(INSERT, [30, 1]);
      tx.check(READ, [30], ([row]) => {
        if (row?.['value'] === 1) throw new Error('seen and refused');
      });
      return Promise.resolve();
    });
    await expect(refused).rejects.toThrow('seen and refused');
    expect(await valueOf(30)).toBeUndefined();
  });

  it('does not retry what would fail again', async () => {
    let runs = 0;
    await expect(
      runner.run(async (tx) => {
        runs += 1;
        await tx.query(INSERT, [1, 0]);
      }),
    ).rejects.toMatchObject({ code: '23505' });
    expect(runs).toBe(1);
  });

  it('survives a session that the server ends between two statements', async () => {
    const ended = runner.run(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(PID, []);
      await runner.query(TERMINATE, [row!.pid]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await tx.query(ADD, [1, 1]);
    });
    await expect(ended).rejects.toBeInstanceOf(Error);
    await runner.run((tx) => tx.query(ADD, [2, 1]));
    expect(await valueOf(2)).toBe(3);
  });
});

/** Resolves for everybody once that many have come; later ones pass. */
function barrier(count: number): () => Promise<void> {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let come = 0;
  return () => {
    come += 1;
    if (come === count) open();
    return opened;
  };
}
