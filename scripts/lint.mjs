// npm run lint: the checks run side by side, and each prints its output in one piece.
import { exec, execSync } from 'node:child_process';

const CHECKS = [
  'eslint . --max-warnings 0',
  'tsc --noEmit',
  'tsc --noEmit -p web',
  'prettier --check . --log-level warn',
  'knip',
  'node scripts/check-links.mjs',
];

// The packages are checked as they are built, and use each other as they were built.
execSync('node scripts/build-if-stale.mjs', { stdio: 'inherit' });

const results = CHECKS.map(
  (check) =>
    new Promise((resolve) => {
      exec(check, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        process.stdout.write(`${error ? '✗' : '✓'} ${check}\n${stdout}${stderr}`);
        resolve(error === null);
      });
    }),
);
process.exit((await Promise.all(results)).every(Boolean) ? 0 : 1);
