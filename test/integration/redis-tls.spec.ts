import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { startRedis } from '../setup/redis-server.js';
import { checkOut, newSku } from '../setup/shop.js';
import { createTestDatabase } from '../setup/test-database.js';

describe('rediss://', () => {
  it('is a Redis by TLS, whose certificate is verified', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'redis-tls-'));
    const [key, certificate] = [path.join(directory, 'key.pem'), path.join(directory, 'certificate.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const files = ['-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
      stdio: 'ignore',
    });
    const port = await freePort();
    const tls = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-auth-clients', 'no'];
    const redis = await startRedis({ args: ['--tls-port', String(port), ...tls] });
    const database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, REDIS_URL: `rediss://localhost:${port}` };
    const trusting = await startAppProcess({ ...env, NODE_EXTRA_CA_CERTS: certificate });
    const readiness = async (app = trusting) => (await app.api.get('/health/ready', { key: 'none' })).body;
    await eventually('Redis', async () => (await readiness()).checks.redis.state === 'up');
    expect((await checkOut(trusting.api, await newSku(trusting.api))).status).toBe(201);
    const doubting = await startAppProcess(env);
    expect((await readiness(doubting)).checks.redis).toMatchObject({
      state: 'degraded',
      detail: expect.stringContaining('certificate'),
    });
    await Promise.all([trusting.stop(), doubting.stop()]);
    await redis.stop();
    await database.drop();
    rmSync(directory, { recursive: true });
  });
});
