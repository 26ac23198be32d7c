import { DataSource } from 'typeorm';
import { CheaperRows1763600000000 } from '../../migrations/1763600000000-cheaper-rows.js';
import { migrations } from '../../migrations/list.js';
import { entities } from '../../src/entities.js';
import { dataSourceOptions } from '../../src/platform/postgres/data-source.js';
import { createTestDatabase, TestDatabase } from '../setup/test-database.js';

/** What only the SQL of the migrations owns: partial indexes, checks, named constraints. Entities cannot say them all. */
const OWNED_BY_SQL = /^(CREATE|DROP) (UNIQUE )?INDEX|(ADD|DROP|RENAME) CONSTRAINT/i;

describe('the schema', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    const settings = { url: database.url, poolSize: 2, statementTimeoutMs: 60_000 };
    dataSource = await new DataSource(dataSourceOptions(settings, entities)).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const drift = async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query).filter((query) => !OWNED_BY_SQL.test(query));
  };
  /** Tables, columns, indexes, checks and functions, in words: two schemas with the same picture are the same. */
  const picture = async () => {
    const rows = await database.query<{ line: string }>(`
      SELECT format('%s.%s.%s %s %s %s', table_schema, table_name, column_name, data_type, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema IN ('public', 'sandbox') AND table_name <> 'migrations'
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname IN ('public', 'sandbox') AND tablename <> 'migrations'
      UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
        WHERE connamespace IN ('public'::regnamespace, 'sandbox'::regnamespace) AND conrelid::regclass::text <> 'migrations'
      UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      ORDER BY 1`);
    return rows.map(({ line }) => line);
  };

  it('is what the entities say', async () => {
    expect(await drift()).toEqual([]);
  });

  it('goes all the way down and comes up the same', async () => {
    const before = await picture();
    expect(before.length).toBeGreaterThan(100);
    for (let left = migrations.length; left > 0; left -= 1) await dataSource.undoLastMigration({ transaction: 'each' });
    const [rest] = await database.query<{ tables: string }>(
      `SELECT string_agg(tablename, ', ') AS tables FROM pg_tables WHERE schemaname IN ('public', 'sandbox') AND tablename <> 'migrations'`,
    );
    expect(rest?.tables ?? '').toBe('');
    const functions = await database.query(`SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`);
    expect(functions).toEqual([]);
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    expect(applied).toHaveLength(migrations.length);
    expect(await picture()).toEqual(before);
    expect(await drift()).toEqual([]);
  });

  it('keeps the logs of sagas on the way down and up', async () => {
    const [long, empty] = ['{"step": "a", "at": 1}\n{"at": 2, "kind": "b\\nc"}\n', ''];
    for (const log of [long, empty]) {
      await database.query(
        `INSERT INTO sagas (id, name, version, state, subject, position, phase, data, log_lines, due_at)
         VALUES (gen_random_uuid(), 'x', 1, 'COMPLETED', 'x', 0, 'end', '{}', $1, now())`,
        [log],
      );
    }
    const runner = dataSource.createQueryRunner();
    const migration = new CheaperRows1763600000000();
    await migration.down(runner);
    const lists = await database.query<{ log: unknown[] }>(`SELECT log FROM sagas ORDER BY length(log::text)`);
    expect(lists.map(({ log }) => log)).toEqual([
      [],
      [
        { step: 'a', at: 1 },
        { at: 2, kind: 'b\nc' },
      ],
    ]);
    await migration.up(runner);
    await runner.release();
    const lines = await database.query<{ log_lines: string }>(`SELECT log_lines FROM sagas ORDER BY length(log_lines)`);
    expect(lines.map(({ log_lines }) => log_lines)).toEqual([
      empty,
      '{"at": 1, "step": "a"}\n{"at": 2, "kind": "b\\nc"}\n',
    ]);
  });

  it('would show a column of the one side that the other has not', async () => {
    await database.query(`ALTER TABLE payments ADD COLUMN surprise text, ALTER COLUMN method DROP NOT NULL`);
    expect((await drift()).join('\n')).toMatch(/surprise[^]*method/);
    await database.query(`ALTER TABLE payments DROP COLUMN surprise, ALTER COLUMN method SET NOT NULL`);
    expect(await drift()).toEqual([]);
  });
});
