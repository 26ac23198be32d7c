import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from '../../src/platform/config/app-config.js';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { KEYS, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { processesOf } from '../setup/processes.js';
import { starvedMs } from '../setup/starvation.js';
import { createTestDatabase, requiredEnv } from '../setup/test-database.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MAIN = path.join(ROOT, 'dist/src/main.js');
/** What ships, not the bundle of the tests. */
const BUILT = { main: MAIN };
const PRODUCTION = { NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1:1/none', ...KEYS };
const IS_ROOT = process.getuid?.() === 0;

function launch(env: Record<string, string>, command = [process.execPath, MAIN]) {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'fatal', PORT: '0', ...env },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const ready = () => eventually('readiness', () => /is ready at (\S+)/.exec(output.stdout)?.[1]);
  return { child, output, ended, ready };
}

/** Starts the service with a user's mistake in the environment: one line, no stack trace, nothing left behind. */
async function refusalOf(env: Record<string, string>): Promise<string> {
  const { output, ended } = launch(env);
  expect(await ended).toBe(1);
  expect(output.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(output.stderr).not.toContain('    at ');
  return output.stderr;
}

describe('starting', () => {
  let dataDir: string;
  beforeEach(() => {
    const parent = mkdtempSync(path.join(tmpdir(), 'checkout-start-'));
    chmodSync(parent, 0o755);
    dataDir = path.join(parent, 'data');
  });
  afterEach(() => rmSync(path.dirname(dataDir), { recursive: true, force: true }));

  const elsewhere = (change: Partial<URL>) =>
    Object.assign(new URL(requiredEnv('TEST_POSTGRES_URL')), change).toString();
  it.each([
    ['a port that is no number', () => ({ PORT: 'abc' }), /PORT=abc/],
    [
      'a database that is not reachable',
      () => ({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }),
      /DATABASE_URL \(127\.0\.0\.1:1\/none\)/,
    ],
    [
      'a database that does not exist',
      () => ({ DATABASE_URL: elsewhere({ pathname: '/nowhere' }) }),
      /nowhere\): database "nowhere" does not exist/,
    ],
    ['a user that does not exist', () => ({ DATABASE_URL: elsewhere({ username: 'who' }) }), /DATABASE_URL .*"who"/],
    [
      'production without keys',
      () => ({ NODE_ENV: 'production' }),
      /DATABASE_URL, ADMIN_API_KEY, STOREFRONT_API_KEY, ACCESS_TOKEN_SECRET/,
    ],
    [
      'production on the sandbox',
      () => ({ ...PRODUCTION, PAYMENT_GATEWAY: 'sandbox' }),
      /PAYMENT_GATEWAY=sandbox moves no money: in production it also needs SANDBOX_IN_PRODUCTION=true/,
    ],
    [
      'an origin with a path',
      () => ({ CORS_ORIGINS: 'https://shop.example/cart' }),
      /CORS_ORIGINS=.* is not an origin/,
    ],
    ['an even number of Redlock nodes', () => ({ REDLOCK_URLS: 'redis://a,redis://b' }), /needs an odd number/],
    [
      'a DATA_DIR that is a file',
      () => ({ DATA_DIR: MAIN }),
      /DATA_DIR .*main\.js cannot be used: a file is in the way/,
    ],
    ['a DATA_DIR with too long a path', () => ({ DATA_DIR: `${dataDir}${'/and-on'.repeat(140)}` }), /too long/],
  ])('refuses %s with one clear line', async (_name, env, message) => {
    expect(await refusalOf({ DATA_DIR: dataDir, ...env() })).toMatch(message);
  });

  it('refuses, and does not touch, a folder that is not its own', async () => {
    mkdirSync(path.join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(path.join(dataDir, 'postgres/diary.txt'), 'dear diary');
    expect(await refusalOf({ DATA_DIR: dataDir })).toMatch(/postgres is not empty but has no PG_VERSION/);
    expect(readdirSync(path.join(dataDir, 'postgres'))).toEqual(['diary.txt']);
    expect(existsSync(path.join(dataDir, 'instance.pid'))).toBe(false);
  });

  it('says so when the port is in use', async () => {
    const database = await createTestDatabase();
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const refusal = await refusalOf({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: String(port) });
    blocker.close();
    await database.drop();
    expect(refusal).toContain(`PORT ${port} on 127.0.0.1 is in use`);
  });

  it('says loudly that production runs on the sandbox, where somebody has allowed it', async () => {
    const database = await createTestDatabase();
    const port = await freePort();
    const env = { PAYMENT_GATEWAY: 'sandbox', SANDBOX_IN_PRODUCTION: 'true', LOG_LEVEL: 'warn', PORT: String(port) };
    const { child, output, ended } = launch({ ...PRODUCTION, DATABASE_URL: database.url, ...env });
    const body = await eventually(
      'readiness',
      () =>
        fetch(`http://127.0.0.1:${port}/health/ready`).then(
          (response) => response.json() as Promise<{ status: string; checks: { payments: { detail: string } } }>,
          () => undefined,
        ),
      { withinMs: 60_000 },
    );
    expect(body).toMatchObject({ status: 'ready', checks: { payments: { state: 'up' } } });
    expect(body.checks.payments.detail).toContain('no money moves');
    await eventually('the warning', () =>
      Promise.resolve(/WARNING: .* no money moves/.exec(output.stderr) ?? undefined),
    );
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(output.stdout).toMatch(/"level":"warn".*no money moves/);
    expect(output.stdout).not.toContain(KEYS.ADMIN_API_KEY);
    await database.drop();
  });

  it('keeps its embedded data between runs, refuses a second instance, and leaves no process behind', async () => {
    const first = await startAppProcess({ DATA_DIR: dataDir }, BUILT);
    const put = await first.api.put('/v1/skus/kept', { name: 'Kept', unitAmount: 1, currency: 'EUR', onHand: 3 });
    expect(put.status).toBe(201);
    expect(await refusalOf({ DATA_DIR: dataDir })).toMatch(/Another instance \(pid \d+\) already uses DATA_DIR/);
    expect(processesOf(dataDir)).not.toEqual([]);
    expect(await first.stop('SIGINT')).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);

    const again = await startAppProcess({ DATA_DIR: dataDir }, BUILT);
    expect((await again.api.get('/v1/skus/kept')).body).toMatchObject({ name: 'Kept', onHand: 3 });
    // Killed: the server it leaves behind is stopped by the next start, and nothing is lost.
    await again.stop('SIGKILL');
    const orphans = processesOf(dataDir);
    const third = await startAppProcess({ DATA_DIR: dataDir }, BUILT);
    expect((await third.api.get('/v1/skus/kept')).body).toMatchObject({ onHand: 3 });
    expect(processesOf(dataDir).filter((line) => orphans.includes(line))).toEqual([]);
    expect(await third.stop()).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
  });

  it('runs below a folder that only its user may enter, also after a first start that was interrupted', async () => {
    chmodSync(path.dirname(dataDir), 0o700);
    const spaced = path.join(dataDir, 'with a space');
    const cut = launch({ DATA_DIR: spaced });
    const isUnderWay = () => processesOf(spaced).some((line) => line.includes('initdb'));
    await eventually('initdb', isUnderWay, { everyMs: 5 });
    cut.child.kill('SIGINT');
    expect([await cut.ended, cut.output.stderr]).toEqual([130, '']);
    expect(processesOf(spaced)).toEqual([]);
    expect(readdirSync(spaced)).toEqual(['keys.json']);

    // Left by a crash before a reboot: the pid is now that of somebody else, who is a Node program as well.
    writeFileSync(path.join(spaced, 'instance.pid'), `${process.pid}\nanother-boot/1\n`);
    const app = await startAppProcess({ DATA_DIR: spaced }, BUILT);
    expect((await app.api.get('/health/ready')).status).toBe(200);
    expect(await app.stop()).toBe(0);
    expect(processesOf(spaced)).toEqual([]);
  });

  it('says which folder is closed where root has no way to run PostgreSQL; an ordinary user needs none', async () => {
    chmodSync(path.dirname(dataDir), 0o700);
    const withoutTools = { DATA_DIR: dataDir, PATH: '/nowhere' };
    if (IS_ROOT) {
      expect(await refusalOf(withoutTools)).toMatch(
        /user \S+ \(uid \d+\), whose identity root lends it, may not enter \/\S+ \(owner uid \d+, mode 0700\)/,
      );
      expect(readdirSync(dataDir)).toEqual(['keys.json']);
    } else {
      const { child, ended, ready } = launch(withoutTools);
      await ready();
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    }
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends with the npm that started it (%s)', async (signal) => {
    const database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, HOME: path.dirname(dataDir) };
    const npm = launch(env, ['npm', 'start', '--ignore-scripts']); // without the build, which has been done
    const url = await npm.ready();
    npm.child.kill(signal);
    await npm.ended;
    // `close` comes when nobody holds npm's output any more, and so after the service has ended.
    await expect(fetch(`${url}/health/live`)).rejects.toThrow();
    await database.drop();
  });

  it('keeps generated keys readable by their owner alone', async () => {
    const { withLocalSecrets } = await import('../../src/platform/config/local-secrets.js');
    const config = withLocalSecrets(loadConfig({ DATA_DIR: dataDir }));
    expect(config.auth.adminKeys).toHaveLength(1);
    expect(statSync(path.join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(withLocalSecrets(loadConfig({ DATA_DIR: dataDir })).auth).toEqual(config.auth);
    writeFileSync(path.join(dataDir, 'keys.json'), '{"adminKey":');
    expect(() => withLocalSecrets(loadConfig({ DATA_DIR: dataDir }))).toThrow(/keys\.json is damaged: restore it/);
  });

  it('is ready within three seconds on a database that exists', async () => {
    const database = await createTestDatabase();
    const started = performance.now();
    const app = await startAppProcess({ DATABASE_URL: database.url }, BUILT);
    const wallMs = Math.round(performance.now() - started);
    // As far as it was let run.
    const ms = wallMs - Math.round(starvedMs(app.pid));
    process.stdout.write(`cold start against an existing database: ${ms} ms, ${wallMs} ms on the clock\n`);
    await app.stop();
    await database.drop();
    expect(ms).toBeLessThan(6_000); // 3 s on a quiet machine; one that is busy has slower cores, too
  });
});
