import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from '../../src/infrastructure/config/app-config.js';
import { startAppProcess } from '../setup/app-process.js';
import { createTestDatabase } from '../setup/test-database.js';

const MAIN = path.resolve(import.meta.dirname, '../../dist/src/main.js');

/** Starts the service with a user's mistake in the environment and waits for its end. */
function runToEnd(env: Record<string, string>): Promise<{ code: number | null; errors: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN], { env: { PATH: process.env['PATH'], LOG_LEVEL: 'fatal', ...env } });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.once('exit', (code) => resolve({ code, errors }));
  });
}

const oneLine = (text: string) => text.trimEnd().split('\n').length === 1;
const postmasterOf = (dataDir: string) =>
  Number.parseInt(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

describe('starting', () => {
  let dataDir: string;
  beforeEach(() => {
    const parent = mkdtempSync(path.join(tmpdir(), 'checkout-start-'));
    chmodSync(parent, 0o755);
    dataDir = path.join(parent, 'data');
  });
  afterEach(() => rmSync(path.dirname(dataDir), { recursive: true, force: true }));

  it.each([
    ['a port that is no number', { PORT: 'abc' }, /PORT=abc/],
    [
      'a database that is not there',
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      /DATABASE_URL \(127\.0\.0\.1:1\/none\)/,
    ],
    [
      'production without keys',
      { NODE_ENV: 'production' },
      /DATABASE_URL, ADMIN_API_KEY, STOREFRONT_API_KEY, ACCESS_TOKEN_SECRET/,
    ],
    ['an even number of Redlock nodes', { REDLOCK_URLS: 'redis://a,redis://b' }, /REDLOCK_URLS needs an odd number/],
  ])('refuses %s with one clear line', async (_name, env, message) => {
    const { code, errors } = await runToEnd({ DATA_DIR: dataDir, ...env });
    expect(code).toBe(1);
    expect(errors).toMatch(message);
    expect(errors).not.toContain('    at ');
    expect(oneLine(errors)).toBe(true);
  });

  it('says so when the port is in use', async () => {
    const database = await createTestDatabase();
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };
    const { code, errors } = await runToEnd({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: String(port) });
    blocker.close();
    await database.drop();
    expect(code).toBe(1);
    expect(errors).toContain(`PORT ${port} on 127.0.0.1 is in use`);
    expect(oneLine(errors)).toBe(true);
  });

  it('keeps its embedded data between runs, refuses a second instance, and leaves no process behind', async () => {
    const first = await startAppProcess({ DATA_DIR: dataDir });
    const put = await first.api.put('/v1/skus/kept', { name: 'Kept', unitAmount: 1, currency: 'EUR', onHand: 3 });
    expect(put.status).toBe(201);
    const second = await runToEnd({ DATA_DIR: dataDir, PORT: '0' });
    expect(second.code).toBe(1);
    expect(second.errors).toMatch(/Another instance \(pid \d+\) already uses DATA_DIR/);
    const postgres = postmasterOf(dataDir);
    expect(await first.stop('SIGINT')).toBe(0);
    expect(existsSync(`/proc/${postgres}`)).toBe(false);

    const again = await startAppProcess({ DATA_DIR: dataDir });
    expect((await again.api.get('/v1/skus/kept')).body).toMatchObject({ name: 'Kept', onHand: 3 });
    // Killed: the server it leaves behind is stopped by the next start, and nothing is lost.
    await again.stop('SIGKILL');
    const third = await startAppProcess({ DATA_DIR: dataDir });
    expect((await third.api.get('/v1/skus/kept')).body).toMatchObject({ onHand: 3 });
    expect(await third.stop()).toBe(0);
  });

  it('keeps generated keys readable by their owner alone', async () => {
    const { withLocalSecrets } = await import('../../src/infrastructure/config/local-secrets.js');
    const config = withLocalSecrets(loadConfig({ DATA_DIR: dataDir }));
    expect(config.auth.adminKeys).toHaveLength(1);
    expect(statSync(path.join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(withLocalSecrets(loadConfig({ DATA_DIR: dataDir })).auth).toEqual(config.auth);
  });

  it('is ready within three seconds on a database that exists', async () => {
    const database = await createTestDatabase();
    const started = performance.now();
    const app = await startAppProcess({ DATABASE_URL: database.url });
    const ms = Math.round(performance.now() - started);
    process.stdout.write(`cold start against an existing database: ${ms} ms\n`);
    await app.stop();
    await database.drop();
    expect(ms).toBeLessThan(6_000); // 3 s on a quiet machine, with room for one that is not
  });
});
