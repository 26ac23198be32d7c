import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type DebianPostgres, startDebianPostgres } from '../setup/debian-postgres.js';
import { violations } from '../setup/invariants.js';
import { checkOut, expectSound, newSku, orderOf } from '../setup/shop.js';
import { startTestApp } from '../setup/test-app.js';
import { openDatabase, type TestDatabase } from '../setup/test-database.js';

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/backup-and-restore.sh');
const run = (...args: string[]) => promisify(execFile)(SCRIPT, args);

describe('a backup', () => {
  let server: DebianPostgres;
  let directory: string;
  const databases: TestDatabase[] = [];
  beforeAll(async () => {
    server = await startDebianPostgres();
    directory = await mkdtemp(path.join(tmpdir(), 'backup-'));
    const admin = openDatabase(server.url('postgres'));
    for (const name of ['shop', 'restored']) {
      await admin.query(`CREATE DATABASE ${name}`);
      const { query, close } = openDatabase(server.url(name));
      databases.push({ url: server.url(name), name, query, drop: close });
    }
    await admin.close();
  });
  afterAll(async () => {
    for (const { drop } of databases) await drop();
    await server.stop();
    await rm(directory, { recursive: true });
  });

  it('is made beside a running instance, and restored into a database on which another one goes on selling', async () => {
    const file = path.join(directory, 'shop.dump');
    const [shop, restored] = databases as [TestDatabase, TestDatabase];
    const first = await startTestApp({}, shop);
    const sku = await newSku(first.api, 10);
    const { body: order } = await checkOut(first.api, sku);
    await run('backup', shop.url, file);
    const { body: later } = await checkOut(first.api, sku);
    const { stdout } = await run('restore', file, restored.url);
    expect(stdout).toContain('restored 1 orders');
    await expect(run('restore', file, restored.url)).rejects.toThrow('not empty');
    const second = await startTestApp({}, restored);
    expect(await orderOf(second.api, order.id)).toMatchObject({ state: 'CONFIRMED', total: 1_000 });
    expect((await second.api.get(`/v1/orders/${later.id}`, { key: 'admin' })).status).toBe(404);
    expect((await checkOut(second.api, sku)).status).toBe(201);
    await expectSound(second.api);
    expect(await violations(restored)).toEqual({});
    await Promise.all([first.close(), second.close()]);
  });
});
