import pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import {
  boundedPool,
  ConnectionDeadlineError,
  DEADLINE_MARGIN_MS,
} from '../../../src/platform/postgres/bounded-client.js';
import { isUnavailable } from '../../../src/platform/postgres/sqlstate.js';
import { statement } from '../../../src/platform/postgres/statement.js';
import { TransactionRunner } from '../../../src/platform/postgres/transaction-runner.js';
import { TcpProxy } from '../../lock/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.js';

const ONE = statement('test.one', 'SELECT 1 AS one');
const WRITE = statement('test.write', 'INSERT INTO notes (text) VALUES ($1)');
const STATEMENT_TIMEOUT_MS = 200;

describe('a server that falls silent', () => {
  let database: TestDatabase;
  let wire: TcpProxy;
  let runner: TransactionRunner;
  beforeEach(async () => {
    database = await createTestDatabase();
    await database.query('CREATE TABLE notes (text text)');
    const url = new URL(database.url);
    wire = await TcpProxy.start(Number(url.port));
    url.port = String(wire.port);
    const pool = new pg.Pool({ ...boundedPool(STATEMENT_TIMEOUT_MS), connectionString: url.toString(), max: 2 });
    pool.on('error', () => undefined);
    runner = new TransactionRunner(pool);
  });
  afterEach(async () => {
    await runner.pool.end();
    await wire.stop();
    await database.drop();
  });

  it('is given up after the statement timeout and a margin, and the next question finds a new connection', async () => {
    await runner.query(ONE, []);
    wire.cut();
    const askedAt = performance.now();
    const failure = await runner.query(ONE, []).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionDeadlineError);
    expect(isUnavailable(failure)).toBe(true);
    expect(performance.now() - askedAt).toBeGreaterThan(STATEMENT_TIMEOUT_MS);
    wire.heal();
    expect(await runner.query(ONE, [])).toEqual([{ one: 1 }]);
  });

  it('ends the wait for a COMMIT, whose outcome is then unknown', async () => {
    let reachedCommit = false;
    const outcome = runner.run(async (tx) => {
      await tx.query(ONE, []);
      tx.send(WRITE, ['kept or not']);
      wire.cut();
      reachedCommit = true;
    });
    const failure = await outcome.catch((error: unknown) => error);
    expect(reachedCommit).toBe(true);
    expect(failure).toBeInstanceOf(ConnectionDeadlineError);
  });

  it('does not strike a connection that rests, or one whose answers keep coming', async () => {
    await runner.query(ONE, []);
    await delay(STATEMENT_TIMEOUT_MS + DEADLINE_MARGIN_MS + 100);
    await runner.run(async (tx) => {
      for (let round = 0; round < 5; round += 1) await tx.query(ONE, []);
    });
    expect(runner.pool.totalCount).toBe(1);
  });

  it('gives a survey the time that it needs', async () => {
    wire.replyDelayMs = STATEMENT_TIMEOUT_MS + DEADLINE_MARGIN_MS + 200;
    expect(await runner.survey((tx) => tx.query(ONE, []))).toEqual([{ one: 1 }]);
    wire.replyDelayMs = 0;
    expect(await runner.query(ONE, [])).toEqual([{ one: 1 }]);
  });
});
