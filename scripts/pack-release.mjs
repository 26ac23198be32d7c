// npm run pack:release: keeps what this release runs as (test/upgrade/release/<version>.tgz), so that the tests of the next
// one can run it on their schema without the history of the repository. Source maps and types are left out; it runs on
// the node_modules that are there. Packed once, when a release is made, in place of the release before.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const TARGET = path.join(ROOT, 'test/upgrade/release');
const STORIES = 'postman/checkout-saga.postman_collection.json';

const { name, version, type } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const staging = mkdtempSync(path.join(tmpdir(), 'checkout-release-'));
const isRun = (file) => statSync(file).isDirectory() || /\.(js|lua)$/.test(file);
for (const folder of ['dist/src', 'dist/migrations']) {
  cpSync(path.join(ROOT, folder), path.join(staging, folder), { recursive: true, filter: isRun });
}
mkdirSync(path.join(staging, 'postman'));
cpSync(path.join(ROOT, STORIES), path.join(staging, STORIES));
writeFileSync(path.join(staging, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);

mkdirSync(TARGET, { recursive: true });
for (const old of readdirSync(TARGET)) rmSync(path.join(TARGET, old));
const archive = path.join(TARGET, `${version}.tgz`);
execFileSync('tar', ['-czf', archive, '-C', staging, 'package.json', 'dist', 'postman']);
rmSync(staging, { recursive: true });
process.stdout.write(`${path.relative(ROOT, archive)}: ${Math.round(statSync(archive).size / 1_024)} kB\n`);
