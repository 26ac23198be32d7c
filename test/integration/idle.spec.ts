import { setTimeout as delay } from 'node:timers/promises';
import { startTestApp, type TestApp } from '../setup/test-app.js';

const SECONDS = 10;

describe('an instance that has nothing to do', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  /** Autocommitted statements and transactions, of all connections, also of the sandbox. */
  const transactions = async () => {
    const [row] = await test.database.query<{ count: number }>(
      `SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = current_database()`,
    );
    return row!.count;
  };

  it('hardly talks to the database', async () => {
    const before = await transactions();
    await delay(SECONDS * 1_000);
    const perSecond = ((await transactions()) - before) / SECONDS;
    process.stdout.write(`an idle instance: ${perSecond} transactions per second\n`);
    expect(perSecond).toBeLessThan(5);
  }, 60_000);
});
