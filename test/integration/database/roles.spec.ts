import { MigrationInterface, QueryRunner } from 'typeorm';
import { migrations } from '../../../migrations/list.js';
import { migrate } from '../../../src/platform/postgres/schema/migrate.js';
import { basket, shelve } from '../../setup/shop.js';
import { startTestApp } from '../../setup/test-app.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../setup/test-database.js';

class Next1999999999999 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE skus ADD COLUMN colour text`);
  }
  async down(): Promise<void> {}
}
const NEXT = [...migrations, Next1999999999999];

/** As docs/database.md says it for a user who runs the service and leaves the schema alone. */
const RUN_ONLY = (role: string) => [
  `GRANT USAGE ON SCHEMA public, sandbox TO ${role}`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, sandbox TO ${role}`,
];

describe('roles', () => {
  let database: TestDatabase;
  let roles: string[];
  const prepare = async (create: () => Promise<TestDatabase>, ...suffixes: string[]) => {
    database = await create();
    roles = suffixes.map((suffix) => `${database.name}_${suffix}`);
    for (const role of roles) await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    return roles as [string, string];
  };
  afterEach(async () => {
    for (const role of roles) {
      await database.query(`REASSIGN OWNED BY ${role} TO CURRENT_USER`);
      await database.query(`DROP OWNED BY ${role}`);
    }
    for (const role of roles) await database.query(`DROP ROLE ${role}`);
    await database.drop();
  });
  const urlOf = (username: string) => Object.assign(new URL(database.url), { username, password: 'secret' }).toString();

  it('says what a role lacks that is to set up a database, all of it and nothing else', async () => {
    const [owner] = await prepare(createEmptyDatabase, 'owner');
    await database.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC'); // as it is from PostgreSQL 15 on
    const onSchema = `GRANT CREATE ON SCHEMA public TO ${owner}`;
    const onDatabase = `GRANT CREATE ON DATABASE ${database.name} TO ${owner}`;
    await expect(migrate(urlOf(owner))).rejects.toThrow(
      `${migrations.length} migration(s) of the database of DATABASE_URL are pending, and its user ${owner} may not apply them (permission denied for schema public): ${onSchema} and ${onDatabase}, or run npm run migration:run as a user who may`,
    );
    await database.query(onSchema);
    await expect(migrate(urlOf(owner))).rejects.toThrow(
      `(permission denied for database ${database.name}): ${onDatabase}, or run`,
    );
    await database.query(onDatabase);
    await migrate(urlOf(owner));
    expect(await migrate(urlOf(owner))).toBe(0);
  });

  it('runs the service as a role that may not migrate, as long as nothing is to be migrated', async () => {
    const [runner, owner] = await prepare(createTestDatabase, 'runner', 'owner');
    for (const sql of RUN_ONLY(runner)) await database.query(sql);
    const test = await startTestApp({}, { ...database, url: urlOf(runner) });
    try {
      await shelve(test.api, 'mug', 1);
      expect((await test.api.post('/v1/checkouts', basket('mug'))).status).toBe(201);
      expect((await test.api.get('/health/ready')).status).toBe(200);
    } finally {
      await test.close();
    }
    const tables = await database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'sandbox')`,
    );
    for (const { name } of tables) await database.query(`ALTER TABLE ${name} OWNER TO ${owner}`);
    await expect(migrate(urlOf(runner), { migrations: NEXT })).rejects.toThrow(
      new RegExp(
        `^1 migration.* may not apply them \\(must be owner of table skus\\): the tables belong to ${owner}: run`,
      ),
    );
    await database.query(`GRANT ${owner} TO ${runner}`);
    expect(await migrate(urlOf(runner), { migrations: NEXT })).toBe(1);
  });

  it('names a server that takes no writes', async () => {
    const [reader] = await prepare(createTestDatabase, 'reader');
    await database.query(`ALTER ROLE ${reader} SET default_transaction_read_only = on`);
    await database.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${reader}`);
    await expect(migrate(urlOf(reader), { migrations: NEXT })).rejects.toThrow(
      /the server takes no writes; connect to the/,
    );
  });
});
