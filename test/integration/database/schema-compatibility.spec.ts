import { spawnSync } from 'node:child_process';
import { migrations } from '../../../migrations/list.js';
import { SchemaCheck } from '../../../src/platform/postgres/schema-check.js';
import { TransactionRunner } from '../../../src/platform/postgres/transaction-runner.js';
import { KEYS } from '../../setup/app-process.js';
import { eventually } from '../../setup/eventually.js';
import { programOf } from '../../setup/programs.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';

const NEEDED = migrations.filter((Each) => new Each().isContraction !== true);
const NEWEST = Math.max(...NEEDED.map(({ name }) => Number(name.slice(-13))));

describe('a schema that a later release has changed', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  const demand = (migration: number) =>
    test.database.query(`UPDATE schema_compatibility SET oldest_compatible = $1`, [migration]);
  const ready = async () => (await test.api.get('/health/ready', { key: 'none' })) as { status: number; body: any };

  // What is understood is looked at again only after a while, so what is not comes first.
  it('is not ready while a migration of this one is missing', async () => {
    const rename = (from: string, to: string) =>
      test.database.query(`UPDATE migrations SET name = $2 WHERE name = $1`, [from, to]);
    const { name } = NEEDED[0]!;
    await rename(name, 'x');
    const { status, body } = await ready();
    expect(status).toBe(503);
    expect(body.checks.migrations.detail).toBe(`1 of ${NEEDED.length} migrations are not applied`);
    await rename('x', name);
  });

  it('is refused, in one line at the start and by readiness, if it lacks what this one needs', async () => {
    await demand(1_999_999_999_999);
    const refusal =
      /^The database was upgraded by a later release, which this one does not understand \(it needs migration 1999999999999, the newest here is \d+\): run that release or a later one$/;
    const { status, body } = await eventually('a refusal', async () => {
      const answer = await ready();
      return answer.body.checks.migrations.detail?.startsWith('The database') ? answer : undefined;
    });
    expect([status, body.status]).toEqual([503, 'unavailable']);
    expect(body.checks.migrations).toMatchObject({ state: 'down', detail: expect.stringMatching(refusal) });
    const env = { PATH: process.env['PATH'], ...KEYS, DATABASE_URL: test.database.url, PORT: '0' };
    const { status: code, stderr } = spawnSync(process.execPath, [programOf('main')], {
      env,
      encoding: 'utf8',
      timeout: 50_000,
    });
    expect(code).toBe(1);
    expect(stderr.trimEnd()).toMatch(refusal);
    await demand(0);
    await eventually('readiness', async () => ((await ready()).status === 200 ? true : undefined));
  });

  it('is fine if it only has more than this one knows', async () => {
    await test.database.query(`INSERT INTO migrations (timestamp, name) VALUES (1999999999999, 'Later1999999999999')`);
    await demand(NEWEST);
    expect(await new SchemaCheck(test.app.get(TransactionRunner)).check()).toEqual({ state: 'up' });
    await demand(NEWEST + 1);
    expect(await new SchemaCheck(test.app.get(TransactionRunner)).check()).toMatchObject({ state: 'down' });
  });
});
