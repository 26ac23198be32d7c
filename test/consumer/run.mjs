// npm run test:consumer: packs the service, the client and the testkit, checks what is in the packages, and runs the suite
// of this folder in a folder elsewhere that has nothing but them. Their dependencies are linked from our node_modules, only
// those that they declare; with --install npm gets everything from the registry, as it would for anybody.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDERS = ['.', 'packages/client', 'packages/testkit'];
const EXPECTED = [/^package\.json$/, /^README\.md$/, /^LICENSE$/, /^dist\/.*\.(js|lua|d\.ts)$/, /^dist\/web\//];

const target = mkdtempSync(path.join(tmpdir(), 'a-shop-'));
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

function pack() {
  const workspaces = FOLDERS.flatMap((folder) => ['-w', folder]);
  const report = execFileSync('npm', ['pack', '--json', '--pack-destination', target, ...workspaces], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const packed = JSON.parse(report);
  return Array.isArray(packed) ? packed : Object.values(packed);
}

function check({ name, files, size }) {
  const strange = files.map((file) => file.path).filter((file) => !EXPECTED.some((pattern) => pattern.test(file)));
  if (strange.length > 0) throw new Error(`${name} has files that do not belong there: ${strange.join(', ')}`);
  if (files.length < 5) throw new Error(`${name} was packed without its build`);
  console.log(`${name}: ${files.length} files, ${Math.round(size / 1024)} kB`);
}

function unpack({ name, filename }) {
  const folder = path.join(target, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', path.join(target, filename), '-C', folder, '--strip-components=1']);
  return Object.keys(read(path.join(folder, 'package.json')).dependencies ?? {});
}

function link(name) {
  const place = path.join(target, 'node_modules', name);
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules', name), place);
}

const packages = pack();
packages.forEach(check);
for (const file of ['package.json', 'shop.test.js'])
  cpSync(path.join(import.meta.dirname, file), path.join(target, file));

if (process.argv.includes('--install')) {
  const manifest = read(path.join(target, 'package.json'));
  const tarballs = Object.fromEntries(packages.map(({ name, filename }) => [name, `file:${filename}`]));
  // Without this the testkit's own dependencies would be looked for in the registry, where they are not yet.
  writeFileSync(
    path.join(target, 'package.json'),
    JSON.stringify({ ...manifest, devDependencies: { ...manifest.devDependencies, ...tarballs }, overrides: tarballs }),
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'], {
    cwd: target,
    stdio: 'inherit',
  });
} else {
  const ours = new Set(packages.map(({ name }) => name));
  const wanted = new Set([...packages.flatMap(unpack), 'jest', '@jest/globals']);
  for (const name of wanted) if (!ours.has(name)) link(name);
}
const { status } = spawnSync('npm', ['test', '--silent'], { cwd: target, stdio: 'inherit' });
rmSync(target, { recursive: true, force: true });
process.exit(status ?? 1);
