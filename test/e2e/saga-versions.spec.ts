import { pathToFileURL } from 'node:url';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { programOf } from '../setup/programs.js';
import { basket, checkOut, shelve } from '../setup/shop.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const SECOND_VERSION = pathToFileURL(programOf('second-version')).href;

describe('a release with a new version of the checkout', () => {
  let database: TestDatabase;
  const processes: AppProcess[] = [];
  const start = async (env: Readonly<Record<string, string>>): Promise<AppProcess> => {
    const started = await startAppProcess({ DATABASE_URL: database.url, SAGA_LEASE_MS: '2000', ...env });
    processes.push(started);
    return started;
  };
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.stop('SIGKILL')));
    await database.drop();
  });

  const sagas = () =>
    database.query<{ version: number; state: string; position: number; log: string; ordered: string }>(
      `SELECT version, sagas.state, position, log_lines AS log, orders.state AS ordered
       FROM sagas JOIN orders ON saga_id = sagas.id WHERE name = 'checkout' ORDER BY sagas.id`,
    );

  it('finishes by the old version what began by it, and takes new orders by the new one', async () => {
    const before = await start({ FAULT_POINT: 'after-commit:create-order:execute=kill' });
    await shelve(before.api, 'versioned', 10);
    await expect(before.api.post('/v1/checkouts', basket('versioned'))).rejects.toThrow();
    await before.exited();
    const [left] = await sagas();
    expect(left).toMatchObject({ state: 'RUNNING', ordered: 'PENDING' });

    const after = await start({ NODE_OPTIONS: `--import=${SECOND_VERSION}` });
    expect((await checkOut(after.api, 'versioned')).status).toBe(201);
    await eventually('the old order is confirmed', async () => (await sagas())[0]?.ordered === 'CONFIRMED');
    const [old, fresh] = await sagas();
    expect(old).toMatchObject({ version: left?.version, state: 'COMPLETED', ordered: 'CONFIRMED' });
    expect(old?.log).not.toContain('note-visit');
    expect(fresh).toMatchObject({ version: Number(left?.version) + 100, state: 'COMPLETED', ordered: 'CONFIRMED' });
    expect(fresh?.log).toContain('visit.noted');
    expect(fresh?.position).toBe(Number(old?.position) + 1);
    expect(await violations(database)).toEqual({});
  });
});
