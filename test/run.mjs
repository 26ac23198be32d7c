// npm test, in three groups: most files three at a time; then the locks and whatever waits for leases, which measure time
// but need little of the processor; then, one after the other, what kills processes or measures the whole machine.
// With arguments (files, flags) it is Jest itself, so that `npm test -- test/e2e/checkout` works as expected.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

const WAITING = ['test/lock/', 'test/e2e/(drain|pause|takeover)\\.spec'].join('|');
const ALONE = 'test/e2e/(crash|event-delivery|group-commit|start)\\.spec';
const JEST = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];

function jest(args) {
  const { status } = spawnSync(process.execPath, [...JEST, ...args], { stdio: 'inherit' });
  return status ?? 1;
}

/** All groups are run, also when one has failed: the next may tell why. */
function runAll() {
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-tests-'));
  const groups = [
    ['--maxWorkers=3', '--testPathIgnorePatterns', `${WAITING}|${ALONE}`],
    ['--maxWorkers=3', '--testPathPatterns', WAITING],
    ['--runInBand', '--testPathPatterns', ALONE],
  ];
  const since = performance.now();
  const results = groups.map((args, index) => {
    const file = path.join(directory, `${index}.json`);
    const status = jest([...args, '--json', '--outputFile', file]);
    return { status, ...JSON.parse(readFileSync(file, 'utf8')) };
  });
  rmSync(directory, { recursive: true });
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  const seconds = Math.round((performance.now() - since) / 1_000);
  process.stdout.write(
    `\n${sum('numPassedTests')} of ${sum('numTotalTests')} tests in ${sum('numTotalTestSuites')} files passed, ${seconds} s\n`,
  );
  return results.every(({ status }) => status === 0) ? 0 : 1;
}

const args = process.argv.slice(2);
process.exit(args.length > 0 ? jest(args) : runAll());
