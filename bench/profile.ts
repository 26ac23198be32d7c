import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchOptions } from './options.js';
import type { Backing } from './processes.js';

const TOP = 40;

export function nodeFlagsFor(options: Pick<BenchOptions, 'isProfiled'>, directory: string): string[] {
  return options.isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${directory}`, '--cpu-prof-interval=500'] : [];
}

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The functions in which the service spent its time since then, by self time; idle and the start are left out. */
export function printProfile(directory: string, sinceUs: number): void {
  const file = readdirSync(directory).find((name) => name.endsWith('.cpuprofile'));
  if (!file) return;
  const profile = JSON.parse(readFileSync(path.join(directory, file), 'utf8')) as CpuProfile;
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const selfMs = new Map<string, number>();
  let at = profile.startTime; // both clocks are the monotonic one
  profile.samples.forEach((id, i) => {
    at += profile.timeDeltas[i] ?? 0;
    if (at < sinceUs) return;
    const name = names.get(id) ?? '?';
    selfMs.set(name, (selfMs.get(name) ?? 0) + (profile.timeDeltas[i] ?? 0) / 1_000);
  });
  selfMs.delete('(idle)');
  const total = [...selfMs.values()].reduce((sum, ms) => sum + ms, 0);
  const sorted = [...selfMs].sort((left, right) => right[1] - left[1]).slice(0, TOP);
  process.stdout.write(`\nSelf time of the service (${Math.round(total)} ms busy)\n`);
  for (const [name, ms] of sorted) {
    process.stdout.write(
      `${((ms / total) * 100).toFixed(1).padStart(6)} % ${Math.round(ms).toString().padStart(7)} ms  ${name}\n`,
    );
  }
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const place = url.replace(/^.*\/(node_modules|dist)\//, '');
  return `${functionName || '(anonymous)'}${place ? `  ${place}:${lineNumber + 1}` : ''}`;
}

/** What the last counted stretch cost Postgres, most expensive first. */
export async function topStatements(backing: Backing, database: string): Promise<string> {
  await sleep(100);
  const { rows } = await backing.admin.query<{
    calls: string;
    total: number;
    mean: number;
    rows: string;
    query: string;
  }>(
    `SELECT calls, total_exec_time AS total, mean_exec_time AS mean, rows, regexp_replace(query, '\\s+', ' ', 'g') AS query
     FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname = $1 AND query NOT ILIKE '%pg_stat%' ORDER BY total_exec_time DESC LIMIT 25`,
    [database],
  );
  const lines = rows.map(
    (row) =>
      `${row.total.toFixed(0).padStart(8)} ms ${row.calls.padStart(7)} × ${row.mean.toFixed(3).padStart(8)} ms ${row.rows.padStart(8)} rows  ${row.query.slice(0, 110)}`,
  );
  return `\nStatements of the last counted run\n${lines.join('\n')}\n`;
}
