import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DemoCatalogue } from '../../src/inventory/sku/demo-catalogue.js';
import { KEYS } from '../setup/app-process.js';
import { expectSound } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { programsOf, ROOT } from './program.js';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';

const run = promisify(execFile);
/** As the first page of the guide has it. */
const FIELD = 'field() { node -pe "JSON.parse(fs.readFileSync(0))$1"; }';

/** Those about the API. What locks and streams need beside the service, their own tests have. */
const OTHERS = ['locks.md', 'streams.md', 'examples'];
const PAGES = readdirSync(path.join(ROOT, 'docs/guide'))
  .filter((name) => !OTHERS.includes(name))
  .map((name) => `docs/guide/${name}`);

describe('the guide', () => {
  let test: TestApp;
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    const port = await freePort();
    test = await startTestApp({ SANDBOX_AUTHENTICATION_MS: '0', WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${port}` });
    await test.app.get(DemoCatalogue).seed();
    folder = mkdtempSync(path.join(tmpdir(), 'checkout-guide-'));
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    env = {
      PATH: process.env['PATH'] ?? '',
      URL: test.url,
      STORE: KEYS.STOREFRONT_API_KEY,
      ADMIN: KEYS.ADMIN_API_KEY,
      HOOK_PORT: String(port),
    };
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await test.close();
  });

  const shell = (script: string) => run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env });

  it.each(PAGES.filter((page) => programsOf(page, 'js').length > 0))('%s runs with the client', async (page) => {
    for (const [index, code] of programsOf(page, 'js').entries()) {
      const file = path.join(folder, `${path.basename(page, '.md')}-${index}.mjs`);
      writeFileSync(file, code);
      await run(process.execPath, [file], { cwd: folder, env });
    }
  });

  it.each(PAGES.filter((page) => programsOf(page, 'sh').length > 0))('%s runs with curl', async (page) => {
    await shell([FIELD, ...programsOf(page, 'sh')].join('\n'));
  });

  it('is as good as the README, whose examples run from top to bottom', async () => {
    const examples = programsOf('README.md', 'sh').filter((code) => !code.includes('npm '));
    expect(examples.length).toBeGreaterThan(1);
    await shell(examples.join('\n'));
    await expectSound(test.api);
  });
});
