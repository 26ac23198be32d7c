// Builds if a source is newer than the last build, so that a built service starts at once.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const SOURCES = [
  'src',
  'migrations',
  'packages/client/src',
  'packages/testkit/src',
  'package-lock.json',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const STAMP = path.join(ROOT, 'dist/.built');

/** Folders count as well: theirs changes when a file is removed. */
function newestOf(file) {
  const stats = statSync(file);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inside = readdirSync(file).map((name) => newestOf(path.join(file, name)));
  return Math.max(stats.mtimeMs, ...inside);
}

const builtAt = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (SOURCES.some((source) => newestOf(path.join(ROOT, source)) > builtAt)) {
  const startedAt = new Date(); // what is saved while it builds is newer
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: 'inherit', shell: true });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(STAMP, '');
  utimesSync(STAMP, startedAt, startedAt);
}
