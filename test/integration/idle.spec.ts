import { setTimeout as delay } from 'node:timers/promises';
import { startTestApp, type TestApp } from '../setup/test-app.js';

const SECONDS = 6;
/** An idle session reports to the statistics so late: what a start asked for has to be counted before. */
const REPORTED_MS = 11_000;

describe('instances that have nothing to do', () => {
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

  const perSecond = async () => {
    const before = await transactions();
    await delay(SECONDS * 1_000);
    return ((await transactions()) - before) / SECONDS;
  };

  it('hardly talk to the database', async () => {
    const others = [await startTestApp({}, test.database), await startTestApp({}, test.database)];
    await delay(REPORTED_MS);
    const three = await perSecond();
    await Promise.all(others.map((app) => app.close()));
    const one = await perSecond();
    process.stdout.write(
      `transactions per second: ${one.toFixed(1)} of an idle instance, ${three.toFixed(1)} of three\n`,
    );
    expect(one).toBeLessThan(5);
    expect(three).toBeLessThan(12);
  }, 60_000);
});
