// Builds the parts whose sources are newer than their last build, so that a built service starts at once. Types are checked
// by `npm run lint` and `npm run build`: without that the service is built in half the time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const PAGE = ['web/common', 'web/page-config.ts', 'packages/client/src'];

/** Rounds of parts that can be built side by side: a page uses the client as it was built. */
const ROUNDS = [
  {
    service: {
      sources: [
        'src',
        'migrations',
        'nest-cli.json',
        'tsconfig.json',
        'tsconfig.build.json',
        'tsconfig.unchecked.json',
      ],
      command: 'nest build -p tsconfig.unchecked.json',
    },
    packages: {
      sources: ['packages/client/src', 'packages/testkit/src', 'tsconfig.json'],
      command: 'npm run build:packages --silent',
    },
  },
  {
    shop: { sources: ['web/shop', ...PAGE], command: 'npm run build:shop --silent' },
    console: { sources: ['web/console', ...PAGE], command: 'npm run build:console --silent' },
  },
];

/** Folders count as well: theirs changes when a file is removed. */
function newestOf(file) {
  const stats = statSync(file);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inside = readdirSync(file)
    .filter((name) => name !== 'node_modules')
    .map((name) => newestOf(path.join(file, name)));
  return Math.max(stats.mtimeMs, ...inside);
}

async function buildIfStale([part, { sources, command }]) {
  const stamp = path.join(ROOT, 'dist', `.built-${part}`);
  const builtAt = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if ([...sources, 'package-lock.json'].every((source) => newestOf(path.join(ROOT, source)) <= builtAt)) return 0;
  const startedAt = new Date(); // what is saved while it builds is newer
  const tools = path.join(ROOT, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${tools}${path.delimiter}${process.env.PATH}` };
  const [status] = await once(spawn(command, { cwd: ROOT, stdio: 'inherit', shell: true, env }), 'close');
  if (status !== 0) return status ?? 1;
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
  return 0;
}

for (const round of ROUNDS) {
  const failed = (await Promise.all(Object.entries(round).map(buildIfStale))).find((status) => status !== 0);
  if (failed !== undefined) process.exit(failed);
}
