import { readFileSync } from 'node:fs';
import { migrations } from '../../migrations/list.js';
import { migrate } from '../../src/platform/postgres/schema/migrate.js';
import type { PostmanCollection } from '../postman/collection.js';
import { playAgainst } from '../postman/play.js';
import { startAppProcess } from '../setup/app-process.js';
import { violations } from '../setup/invariants.js';
import { createEmptyDatabase, type TestDatabase } from '../setup/test-database.js';
import { PreviousRelease, unpackPreviousRelease } from './previous-release.js';
import { upgrade } from './upgrade.js';

const PATIENCE_MS = 300_000;

describe('upgrading', () => {
  let release: PreviousRelease;
  let database: TestDatabase;
  beforeAll(() => {
    release = unpackPreviousRelease();
  });
  afterAll(() => release.remove());
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());

  it(
    'fails no request: this release migrates, sells beside the one before, then alone, and contracts',
    async () => {
      const lines: string[] = [];
      const size = { orders: 3_000, buyers: 4, pauseMs: 30, answers: 60 };
      const log = (line: string) => void lines.push(line);
      const { phases, failed, problems } = await upgrade({ databaseUrl: database.url, release, ...size, log });
      expect({ failed, problems: problems.filter((problem) => !problem.startsWith('202')) }).toEqual({
        failed: 0,
        problems: [],
      });
      expect(phases).toHaveLength(7);
      expect(await violations(database)).toEqual({});
      const applied = await database.query<{ name: string }>('SELECT name FROM migrations');
      expect(applied.map(({ name }) => name).sort()).toEqual(migrations.map(({ name }) => name).sort());
      const [orders] = await database.query<{ count: number }>('SELECT count(*)::int FROM orders');
      expect(orders?.count).toBeGreaterThan(size.orders);
    },
    PATIENCE_MS,
  );

  it(
    'leaves to the release before a schema on which all of its stories come true',
    async () => {
      const env = { DATABASE_URL: database.url, SANDBOX_AUTHENTICATION_MS: '500' };
      // A story has to buy what it holds before.
      const holds = { RESERVATION_TTL_SECONDS: '10', RESERVATION_SWEEP_SECONDS: '1' };
      const old = await startAppProcess({ ...env, ...holds }, { main: release.main });
      try {
        const expansions = migrations.filter((Each) => new Each().isContraction !== true);
        await migrate(database.url);
        const applied = await database.query('SELECT FROM migrations');
        expect(applied).toHaveLength(expansions.length);
        const collection = JSON.parse(readFileSync(release.stories, 'utf8')) as PostmanCollection;
        const { summary } = await playAgainst(old.url, collection);
        expect(summary.run.failures.map(({ error, source }) => `${source?.name}: ${error.message}`)).toEqual([]);
        expect(summary.run.stats.assertions.total).toBeGreaterThan(100);
        expect(await violations(database)).toEqual({});
      } finally {
        await old.stop();
      }
    },
    PATIENCE_MS,
  );
});
