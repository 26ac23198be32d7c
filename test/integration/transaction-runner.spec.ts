import { readBigintsAsNumbers } from '../../src/platform/postgres/pg-types.js';
import { boundedPool } from '../../src/platform/postgres/bounded-client.js';
import { TransactionRunner } from '../../src/platform/postgres/transaction-runner.js';
import { expectingRows, statement } from '../../src/platform/postgres/statement.js';
import pg from 'pg';
import type { Tx } from '../../src/platform/postgres/tx.js';
import { eventually } from '../setup/eventually.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const ADD = statement('test.add', `UPDATE test_counter SET value = value + $2 WHERE id = $1`);
const ADD_GUARDED = expectingRows('test.add-guarded', '$3', `UPDATE test_counter SET value = value + $2 WHERE id = $1`);
const INSERT = statement('test.insert', `INSERT INTO test_counter (id, value) VALUES ($1, $2)`);
const READ = statement('test.read', `SELECT value FROM test_counter WHERE id = $1`);
const TERMINATE = statement('test.terminate', `SELECT pg_terminate_backend($1)`);
const PID = statement('test.pid', `SELECT pg_backend_pid() AS pid`);

describe('TransactionRunner', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let runner: TransactionRunner;
  beforeAll(async () => {
    readBigintsAsNumbers();
    database = await createTestDatabase();
    pool = new pg.Pool({ ...boundedPool(30_000), connectionString: database.url, max: 4 });
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
    // The server ends one of them, or, where it is slow to look, both.
    expect(runs).toBeGreaterThanOrEqual(3);
    expect([await valueOf(1), await valueOf(2)]).toEqual([2, 2]);
  });

  it('says why it failed, not that an earlier statement had failed', async () => {
    const failing = runner.run(async (tx) => {
      tx.send(INSERT, [1, 0]);
      await tx.query(READ, [1]);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    const last = runner.run((tx) => {
      tx.send(INSERT, [10, 1_000]);
      tx.send(READ, [1]);
      return Promise.resolve();
    });
    await expect(last).rejects.toMatchObject({ code: '23514' });
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

  it('refuses the commit when a guarded statement does not land on as many rows as it must', async () => {
    const guarded = (rows: number) =>
      runner.run((tx) => {
        tx.send(INSERT, [30 + rows, 1]);
        tx.expect(ADD_GUARDED, [1, 1, rows], () => new Error('refused'));
        tx.send(READ, [1]);
        return Promise.resolve();
      });
    const before = await valueOf(1);
    await expect(guarded(2)).rejects.toThrow('refused');
    await expect(guarded(0)).rejects.toThrow('refused');
    await guarded(1);
    expect([await valueOf(30), await valueOf(31), await valueOf(32)]).toEqual([undefined, 1, undefined]);
    expect(await valueOf(1)).toBe((before ?? 0) + 1);
  });

  it('asks once for what is asked in one moment, and in one round trip for all that waits', async () => {
    const before = runner.roundTrips;
    const rows = await runner.run(async (tx) => {
      tx.send(ADD, [1, 1]);
      const [one, two] = await Promise.all([tx.query(READ, [1]), tx.query(READ, [2])]);
      tx.send(ADD, [2, 1]);
      return [one, two];
    });
    expect(runner.roundTrips - before).toBe(2); // one for the answers, one for the rest with the COMMIT
    expect(rows.flat()).toHaveLength(2);
  });

  it('lets nothing reach the connection after the transaction, whatever was left behind', async () => {
    const one = new TransactionRunner(new pg.Pool({ ...boundedPool(30_000), connectionString: database.url, max: 1 }));
    let left: Promise<unknown> | undefined;
    const thrown = one.run((tx) => {
      left = tx.query(ADD, [1, 50]);
      throw new Error('at once');
    });
    await expect(thrown).rejects.toThrow('at once');
    await expect(left).rejects.toThrow('the transaction is over');
    let kept: Tx | undefined;
    await one.run((tx) => {
      kept = tx;
      return tx.query(READ, [1]);
    });
    await expect(kept?.query(ADD, [1, 50])).rejects.toThrow('the transaction is over');
    const [state] = await one.query<{ idle: boolean }>(
      statement('test.idle', `SELECT pg_current_xact_id_if_assigned() IS NULL AS idle`),
      [],
    );
    expect(state?.idle).toBe(true);
    await one.pool.end();
  });

  it('asks the server for nothing when there is nothing to ask', async () => {
    const before = runner.roundTrips;
    await runner.run(() => Promise.resolve());
    expect(runner.roundTrips).toBe(before);
  });

  it('keeps what it prepared through failures, on the same connection', async () => {
    const one = new TransactionRunner(new pg.Pool({ ...boundedPool(30_000), connectionString: database.url, max: 1 }));
    const unheard = statement('test.unheard', `SELECT value FROM test_counter WHERE id = $1 AND value >= 0`);
    for (let round = 0; round < 2; round += 1) {
      const failing = one.run(async (tx) => {
        tx.send(INSERT, [1, 0]);
        await tx.query(unheard, [1]);
      });
      await expect(failing).rejects.toMatchObject({ code: '23505' });
      await expect(one.query(unheard, [1])).resolves.toHaveLength(1);
      await expect(one.query(statement('test.broken', 'SELECT * FROM nowhere'), [])).rejects.toMatchObject({
        code: '42P01',
      });
      await expect(one.query(READ, [{}])).rejects.toThrow('an object cannot be a parameter');
    }
    await one.pool.end();
  });

  it('sends values as they are', async () => {
    const echo = statement(
      'test.echo',
      `SELECT $1::text[] AS texts, $2::bytea AS bytes, $3::timestamptz AS time, $4::bool AS flag, $5::int8 AS big, $6::bytea[] AS list`,
    );
    const texts = ['plain', 'with "quotes", commas and {braces}', 'back\\slash', '', 'NULL', null, 'ünïcode 🎟', 'a\nb'];
    const [row] = await runner.query(echo, [
      texts,
      Buffer.from([0, 1, 255]),
      new Date(1_700_000_000_123),
      true,
      9_007_199_254_740_991n,
      [Buffer.from([7, 0]), Buffer.alloc(0)],
    ]);
    expect(row).toEqual({
      texts,
      bytes: Buffer.from([0, 1, 255]),
      time: new Date(1_700_000_000_123),
      flag: true,
      big: 9_007_199_254_740_991,
      list: [Buffer.from([7, 0]), Buffer.alloc(0)],
    });
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
    const before = await valueOf(2);
    await runner.run((tx) => tx.query(ADD, [2, 1]));
    expect(await valueOf(2)).toBe((before ?? 0) + 1);
  });
});

describe('TransactionRunner with large batches', () => {
  /** How long the server lets a transaction be silent whose statements went ahead. */
  const PATIENT_MS = 60_000;
  const SHORT_MS = 1_500;
  const LARGE = statement('test.large', `SELECT length($1)`);
  const much = ['x'.repeat(20_000)];
  let database: TestDatabase;
  let runner: TransactionRunner;
  beforeAll(async () => {
    database = await createTestDatabase();
    const pool = new pg.Pool({ ...boundedPool(30_000), connectionString: database.url, max: 1 });
    pool.on('error', () => undefined);
    runner = new TransactionRunner(pool, { sendEarlyMs: PATIENT_MS });
    await database.query(`CREATE TABLE test_counter (id int PRIMARY KEY, value int NOT NULL CHECK (value < 100))`);
  });
  beforeEach(() => database.query(`INSERT INTO test_counter VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET value = 0`));
  afterAll(async () => {
    await runner.pool.end();
    await database.drop();
  });

  const value = async () => (await database.query<{ value: number }>(`SELECT value FROM test_counter`))[0]?.value;
  const untilLocked = (isLocked: boolean) =>
    eventually(`the row is ${isLocked ? 'locked' : 'free'}`, async () => {
      const free = await database.query(`SELECT 1 FROM test_counter FOR UPDATE SKIP LOCKED`);
      return (free.length === 0) === isLocked;
    });

  it('has the server work on them before the transaction ends, in the same round trip', async () => {
    const before = runner.roundTrips;
    await runner.run(async (tx) => {
      tx.send(ADD, [1, 1]);
      tx.send(LARGE, much);
      await untilLocked(true);
      tx.send(ADD, [1, 1]);
      expect(await value()).toBe(0);
    });
    expect(await value()).toBe(2);
    expect(runner.roundTrips - before).toBe(1);
  });

  it('goes ahead also behind an answer, and answers what is asked behind it', async () => {
    const seen = await runner.run(async (tx) => {
      await tx.query(READ, [1]);
      tx.send(ADD, [1, 1]);
      tx.send(LARGE, much);
      await untilLocked(true);
      return tx.query<{ value: number }>(READ, [1]);
    });
    expect(seen).toEqual([{ value: 1 }]);
  });

  it('says which of them failed, with whatever was sent behind it, and stays usable', async () => {
    for (const round of [1, 2]) {
      const neverParsed = statement(
        `test.never-parsed-${round}`,
        `SELECT value FROM test_counter WHERE id = $1 AND value < 100`,
      );
      const failing = runner.run(async (tx) => {
        tx.send(ADD, [1, 1]);
        tx.expect(ADD_GUARDED, [1, 1, 7], () => new Error(`refused in round ${round}`));
        tx.send(LARGE, much);
        if (round === 1) await new Promise((resolve) => setTimeout(resolve, 50)); // the failure is known by now
        tx.send(neverParsed, [1]);
        tx.send(LARGE, much);
        await tx.query(neverParsed, [1]);
      });
      await expect(failing).rejects.toThrow(`refused in round ${round}`);
      await expect(runner.query(neverParsed, [1])).resolves.toEqual([{ value: 0 }]);
    }
  });

  it('takes back what went ahead of a closure that throws', async () => {
    const thrown = runner.run((tx) => {
      tx.send(ADD, [1, 1]);
      tx.send(LARGE, much);
      throw new Error('changed my mind');
    });
    await expect(thrown).rejects.toThrow('changed my mind');
    expect(await value()).toBe(0);
    await runner.run((tx) => tx.query(ADD, [1, 1]));
    expect(await value()).toBe(1);
  });

  it('is given up by the server if it falls silent, and what it had locked is free', async () => {
    const impatient = new TransactionRunner(runner.pool, { sendEarlyMs: SHORT_MS });
    const silent = impatient.run(async (tx) => {
      tx.send(ADD, [1, 1]);
      tx.send(LARGE, much);
      await untilLocked(true);
      await untilLocked(false);
      tx.send(ADD, [1, 1]);
    });
    await expect(silent).rejects.toMatchObject({ code: '25P04' });
    expect(await value()).toBe(0);
    await runner.run((tx) => tx.query(ADD, [1, 1]));
    expect(await value()).toBe(1);
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
