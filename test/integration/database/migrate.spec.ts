import pg from 'pg';
import { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { MigrationClass, migrations } from '../../../migrations/list.js';
import { backfill } from '../../../src/platform/postgres/schema/backfill.js';
import { migrate } from '../../../src/platform/postgres/schema/migrate.js';
import { createIndexOnline } from '../../../src/platform/postgres/schema/online-ddl.js';
import { eventually } from '../../setup/eventually.js';
import { createEmptyDatabase, type TestDatabase } from '../../setup/test-database.js';

const FIRST_RELEASE_LOCK = 7_261_001;
const GATE = 4_711;

class Table1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE toy (id int PRIMARY KEY, size int, doubled int)`);
    await runner.query(`INSERT INTO toy SELECT n, n % 100 FROM generate_series(1, 5000) n`);
  }
  async down(): Promise<void> {}
}

/** Longer than the statement timeout of the test's database. */
class Slow1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT pg_sleep(0.5)`);
  }
  async down(): Promise<void> {}
}

class Column1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE toy ADD COLUMN colour text`);
  }
  async down(): Promise<void> {}
}

/** Waits for the test. */
class Gate1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = 0`);
    await runner.query(`SELECT pg_advisory_xact_lock(${GATE})`);
  }
  async down(): Promise<void> {}
}

class Index1700000000005 implements MigrationInterface {
  readonly transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexOnline(runner, { name: 'toy_by_size', on: 'toy (size)' });
  }
  async down(): Promise<void> {}
}

class Backfill1700000000006 implements MigrationInterface {
  readonly transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    const work = { table: 'toy', key: 'id', set: 'doubled = size * 2', where: 'doubled IS NULL' };
    const changed = await backfill(runner, { ...work, batchSize: 500 });
    runner.dataSource.logger.log('info', `${changed} rows`);
  }
  async down(): Promise<void> {}
}

class Contraction1700000000007 implements MigrationInterface {
  readonly isContraction = true;
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE toy DROP COLUMN size`);
  }
  async down(): Promise<void> {}
}

describe('migrating', () => {
  let database: TestDatabase;
  let other: pg.Client;
  let lines: string[];
  beforeEach(async () => {
    database = await createEmptyDatabase();
    other = new pg.Client({ connectionString: database.url });
    await other.connect();
    lines = [];
  });
  afterEach(async () => {
    await other.end().catch(() => undefined);
    await database.drop();
  });

  const run = (list: MigrationClass[], options: Parameters<typeof migrate>[1] = {}) =>
    migrate(database.url, { migrations: list, report: (_, line) => void lines.push(line), ...options });
  const said = (text: RegExp) =>
    eventually(`a line about ${text.source}`, () => Promise.resolve(lines.find((line) => text.test(line))));
  const backendOf = (query: string) =>
    eventually(`a session that runs ${query}`, async () => {
      const sql = `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND query LIKE $2 AND wait_event_type = 'Lock'`;
      return (await database.query<{ pid: number }>(sql, [database.name, query]))[0]?.pid;
    });
  const names = async () =>
    (await database.query<{ name: string }>(`SELECT name FROM migrations ORDER BY id`)).map(({ name }) => name);
  const indexState = async () => {
    const sql = `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('toy_by_size')`;
    return (await database.query<{ indisvalid: boolean }>(sql))[0]?.indisvalid;
  };

  it('has no statement timeout, and does nothing the second time', async () => {
    await database.query(`ALTER DATABASE ${database.name} SET statement_timeout = '300ms'`);
    expect(await run([Table1700000000001, Slow1700000000002])).toBe(2);
    expect(await run([Table1700000000001, Slow1700000000002])).toBe(0);
  });

  it('does not make others queue behind a table that is in use, and goes on when it is free', async () => {
    await run([Table1700000000001]);
    await other.query('BEGIN');
    await other.query('SELECT count(*) FROM toy');
    const migrating = run([Table1700000000001, Column1700000000003]);
    await said(/Column1700000000003 waits for a lock .*oldest transaction is that of process \d+/);
    // Behind a request that never gives up this would wait for as long as the other transaction lasts.
    await database.query('SELECT count(*) FROM toy');
    await other.query('COMMIT');
    expect(await migrating).toBe(1);
    await database.query('SELECT colour FROM toy');
  });

  it('gives up waiting when it is stopped', async () => {
    await run([Table1700000000001]);
    await other.query('BEGIN');
    await other.query('SELECT count(*) FROM toy');
    const stop = new AbortController();
    const migrating = run([Table1700000000001, Column1700000000003], { signal: stop.signal });
    migrating.catch(() => undefined);
    await said(/waits for a lock/);
    stop.abort(new Error('stopped'));
    await expect(migrating).rejects.toThrow('stopped');
  });

  it('runs one after the other where several instances start together, and says who waits', async () => {
    const list = [Table1700000000001, Gate1700000000004, Index1700000000005];
    await other.query('SELECT pg_advisory_lock($1)', [GATE]);
    const instances = [run(list), run(list), run(list)];
    await said(/another instance migrates the database: waiting/);
    await other.query('SELECT pg_advisory_unlock($1)', [GATE]);
    expect((await Promise.all(instances)).sort()).toEqual([0, 0, 3]);
    expect(await names()).toEqual(list.map(({ name }) => name));
    expect(await indexState()).toBe(true);
  });

  it('neither blocks an instance of release 0.1.0, which waits inside a statement, nor migrates beside it', async () => {
    const old = new pg.Client({ connectionString: database.url });
    await old.connect();
    await old.query('BEGIN');
    await old.query('SELECT pg_advisory_xact_lock($1)', [FIRST_RELEASE_LOCK]);
    const list = [Table1700000000001, Gate1700000000004, Index1700000000005];
    await other.query('SELECT pg_advisory_lock($1)', [GATE]);
    const migrating = run(list);
    await said(/another instance migrates/);
    await old.query('COMMIT');
    await backendOf(`%advisory_xact_lock(${GATE})%`);
    await old.query('SELECT pg_advisory_xact_lock($1)', [FIRST_RELEASE_LOCK]);
    await old.end();
    await other.query('SELECT pg_advisory_unlock($1)', [GATE]);
    expect(await migrating).toBe(3);
  });

  it('makes an index anew that a crash has left invalid', async () => {
    await run([Table1700000000001]);
    await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await other.query('SELECT count(*) FROM toy');
    const crashing = run([Table1700000000001, Index1700000000005]);
    crashing.catch(() => undefined);
    const pid = await backendOf('CREATE INDEX CONCURRENTLY%');
    await database.query('SELECT pg_terminate_backend($1)', [pid]);
    await expect(crashing).rejects.toThrow();
    await other.query('COMMIT');
    expect([await indexState(), await names()]).toEqual([false, ['Table1700000000001']]);
    expect(await run([Table1700000000001, Index1700000000005])).toBe(1);
    expect(await indexState()).toBe(true);
  });

  it('fills a table in batches beside a transaction that holds some of its rows, and again after a crash', async () => {
    const list = [Table1700000000001, Backfill1700000000006];
    await run([Table1700000000001]);
    await other.query('BEGIN');
    await other.query('UPDATE toy SET size = 7 WHERE id = 2600');
    const crashing = run(list);
    crashing.catch(() => undefined);
    const pid = await backendOf('%range AS MATERIALIZED%');
    const [half] = await database.query<{ done: number }>('SELECT count(doubled)::int AS done FROM toy');
    expect(half).toEqual({ done: 2_500 });
    await database.query('SELECT pg_terminate_backend($1)', [pid]);
    await expect(crashing).rejects.toThrow();

    const again = run(list);
    await backendOf('%range AS MATERIALIZED%');
    await other.query('COMMIT');
    expect(await again).toBe(1);
    expect(lines).toContain('2500 rows');
    const wrong = await database.query('SELECT FROM toy WHERE doubled IS DISTINCT FROM size * 2');
    expect(wrong).toHaveLength(0);
  });

  it('contracts an empty database at once, one that an earlier release may use only on demand', async () => {
    const list = [Table1700000000001, Contraction1700000000007];
    expect(await run(list)).toBe(2);
    await database.query(`DROP TABLE toy, migrations`);

    await run([Table1700000000001]);
    expect(await run(list)).toBe(0);
    await database.query('SELECT size FROM toy');
    expect(await run(list, { isContracting: true })).toBe(1);
    expect(await run(list)).toBe(0);
  });

  it('could run each of its own that are not atomic a second time', async () => {
    await migrate(database.url);
    const dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    const runner = dataSource.createQueryRunner();
    for (const migration of migrations.map((Each) => new Each())) {
      if (migration.transaction === false) await migration.up(runner);
    }
    await runner.release();
    await dataSource.destroy();
  });
});
