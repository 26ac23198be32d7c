import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CONCURRENCIES, LockResults, OUTAGE_LANES } from './lock-report.js';
import { plot } from './plot.js';

const RESULTS = path.join(import.meta.dirname, 'results');

/** Markdown and a plot, beside the results of the other benchmarks. */
export function writeResults(results: LockResults, run: readonly string[], drivers: readonly string[]): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(path.join(RESULTS, 'locks.md'), markdown(results, run));
  const chart = plot({
    title: 'Acquire + release per second, each lane on its own key',
    xTitle: 'lanes of one process',
    labels: CONCURRENCIES.map(String),
    series: drivers.map((name) => ({ name, values: results.rates.get(name) ?? [] })),
  });
  writeFileSync(path.join(RESULTS, 'locks.svg'), chart);
}

function markdown({ uncontended, crowds, outages, targets }: LockResults, run: readonly string[]): string {
  const goals = targets.map(({ what, measured, target, isMet }) => [
    what,
    { measured, target, verdict: isMet ? 'met' : 'missed' },
  ]);
  return [
    '# Locks',
    '`npm run bench:lock` wrote this. Ratios count, figures depend on the machine.',
    run.map((line) => `- ${line}`).join('\n'),
    '## Nobody waits',
    'Acquire + release per second, each lane on a key of its own, and the part of a bare `SET` + `DEL` in the same round.',
    table(uncontended),
    '![Acquire and release per second](locks.svg)',
    '## One key',
    'Sections of 1 ms under the lock; ideal are the same sections back to back, without a lock.',
    table(crowds),
    '## One node is killed',
    `Under ${OUTAGE_LANES} lanes, each on a key of its own. Without a second node (redis, postgres) the lock is away: for Redis the breaker turns to Postgres.`,
    table(outages),
    '## Targets',
    table(Object.fromEntries(goals)),
    '',
  ].join('\n\n');
}

function table(rows: Readonly<Record<string, Readonly<Record<string, string | number>>>>): string {
  const columns = Object.keys(Object.values(rows)[0] ?? {});
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['', ...columns]),
    line(['---', ...columns.map(() => '---:')]),
    ...Object.entries(rows).map(([name, row]) => line([name, ...columns.map((column) => row[column] ?? '')])),
  ].join('\n');
}
