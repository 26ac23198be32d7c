import { DataSource } from 'typeorm';
import { migrations } from '../../migrations/list.js';
import { KeysOfClients1763710000000 } from '../../migrations/1763710000000-keys-of-clients.js';
import { dataSourceOptions } from '../../src/platform/postgres/data-source.js';
import { createTestDatabase, TestDatabase } from '../setup/test-database.js';

describe('the keys of a database that is in use', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    const settings = { url: database.url, poolSize: 1, statementTimeoutMs: 5_000 };
    dataSource = await new DataSource(dataSourceOptions(settings, [])).initialize();
    const undone = migrations.length - migrations.indexOf(KeysOfClients1763710000000);
    for (let left = undone; left > 0; left -= 1) await dataSource.undoLastMigration({ transaction: 'each' });
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('are kept for another day, and those that the release before adds are told apart', async () => {
    await database.query(
      `INSERT INTO skus (sku, name, unit_amount, currency, on_hand) VALUES ('mug', 'Mug', 1, 'EUR', 1)`,
    );
    await database.query(
      `INSERT INTO idempotency_keys (id, fingerprint, locked_until, created_at)
       SELECT sha256(number::text::bytea), '', now(), now() - interval '1 day' FROM generate_series(1, 1000) AS number`,
    );
    await dataSource.runMigrations({ transaction: 'each' });
    // The columns that it knows are all that the release before names.
    await database.query(
      `INSERT INTO idempotency_keys (id, fingerprint, saga_id, locked_until) VALUES ('x', '', null, now())`,
    );
    const rows = await database.query(
      `SELECT scoped_to, expires_at - now() > interval '23 hours' AS "isKept", count(*)::int FROM idempotency_keys GROUP BY 1, 2`,
    );
    expect(rows).toEqual([{ scoped_to: 'secret', isKept: true, count: 1_000 + 1 + 1 }]); // one of nobody's
    const indexes = await database.query(
      `SELECT 1 FROM pg_index WHERE indrelid = 'idempotency_keys'::regclass AND indisvalid`,
    );
    expect(indexes).toHaveLength(4);
  });
});
