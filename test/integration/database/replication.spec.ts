import pg from 'pg';
import { boundedPool, UnreplicatedCommitError } from '../../../src/platform/postgres/bounded-client.js';
import { DatabaseAvailability } from '../../../src/platform/postgres/database-availability.js';
import { migrate } from '../../../src/platform/postgres/schema/migrate.js';
import { connectionTarget } from '../../../src/platform/postgres/servers.js';
import { isUnavailable } from '../../../src/platform/postgres/sqlstate.js';
import { statement } from '../../../src/platform/postgres/statement.js';
import { TransactionRunner } from '../../../src/platform/postgres/transaction-runner.js';
import { eventually } from '../../setup/eventually.js';
import { freeze, type PostgresPair, startPostgresPair, thaw } from '../../setup/postgres-pair.js';
import { openDatabase, type OpenTestDatabase } from '../../setup/test-database.js';

const NOTE = statement('test.note', 'INSERT INTO notes (text) VALUES ($1)');
const READ = statement('test.read-notes', 'SELECT text FROM notes');

describe('a primary and its standby', () => {
  let pair: PostgresPair;
  let primary: OpenTestDatabase;
  let url: string;
  let runner: TransactionRunner;
  const availability = new DatabaseAvailability();

  beforeAll(async () => {
    pair = await startPostgresPair();
    primary = openDatabase(pair.primary.url);
    const [first, second] = [new URL(pair.standby.url), new URL(pair.primary.url)];
    const login = `${first.username}:${first.password}`;
    url = `postgres://${login}@${first.host},${second.host}${first.pathname}?target_session_attrs=read-write`;
    await primary.query('CREATE TABLE notes (text text)');
    const pool = new pg.Pool({ ...boundedPool(30_000), ...connectionTarget(url), max: 3 });
    pool.on('error', () => undefined);
    runner = new TransactionRunner(pool, { availability });
  }, 120_000);
  afterAll(async () => {
    await runner.pool.end();
    await primary.close();
    await pair.stop();
  }, 60_000);

  const write = (text: string) =>
    runner.run((tx) => {
      tx.send(NOTE, [text]);
      return Promise.resolve();
    });
  /** Ends the wait of a commit as an operator might, to whom it looks like a query that hangs. */
  const cancelWait = () =>
    eventually('a commit that waits for the standby', async () => {
      const sql = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
      return (await primary.query(sql)).length > 0;
    });

  it('are told apart: connections of every kind lead to the one that takes writes', async () => {
    await write('through the second of two hosts');
    expect(await primary.query('SELECT text FROM notes')).toHaveLength(1);
    expect(await migrate(url)).toBeGreaterThan(0);
  });

  it('make a commit whose replication nobody has waited for unknown, not a success', async () => {
    await pair.replicateSynchronously();
    freeze(pair.standby.pid);
    const burst = write('cancelled in a burst').catch((error: unknown) => error);
    await cancelWait();
    expect(await burst).toBeInstanceOf(UnreplicatedCommitError);
    expect(isUnavailable(await burst)).toBe(true);
    const plain = runner.pool.query(`INSERT INTO notes VALUES ('cancelled')`).catch((error: unknown) => error);
    await cancelWait();
    expect(await plain).toBeInstanceOf(UnreplicatedCommitError);
    // Both stand on the primary, and a failover now would lose them: nobody may read them as facts.
    await eventually('both notes', async () => (await primary.query('SELECT 1 FROM notes')).length === 3);
    let hasRead = false;
    const reading = runner.query(READ, []).then((rows) => {
      hasRead = true;
      return rows;
    });
    expect(availability.isInDoubt).toBe(true);
    availability.settle(availability.doubts - 1); // a commit that began before
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasRead).toBe(false);
    thaw(pair.standby.pid);
    await primary.query(`INSERT INTO notes VALUES ('acknowledged')`);
    availability.settle(availability.doubts);
    expect(await reading).toHaveLength(4);
  });

  it('are changed for each other without a restart', async () => {
    await pair.primary.stop();
    expect(isUnavailable(await write('while there is no primary').catch((error: unknown) => error))).toBe(true);
    await pair.promoteStandby();
    await eventually('a write on the other server', () =>
      write('after the failover').then(
        () => true,
        () => false,
      ),
    );
    expect(await runner.query(READ, [])).toHaveLength(5);
  });
});
