import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import path from 'node:path';
import { hasPgbench } from './floor.js';
import { type Measurement, serviceCpuOf } from './measure.js';
import type { BenchOptions } from './options.js';
import { plot } from './plot.js';
import type { Backing } from './processes.js';
import { ratioOf, spreadOf, spreadText } from './rounds.js';
import { Target, targetsOf } from './targets.js';

export const RESULTS = path.join(import.meta.dirname, 'results');

export interface Result extends Measurement {
  readonly system: string;
  readonly shape?: string;
  readonly workload: string;
  readonly connections: number;
  readonly violations: readonly string[];
  /** In the order in which they were taken: those of neighbours belong together. */
  readonly rounds: {
    readonly perSecond: readonly number[];
    readonly p50: readonly number[];
    /** ms of the service and its stores. */
    readonly cpu: readonly number[];
  };
}

export interface SelloutResult {
  readonly system: string;
  readonly buyers: number;
  readonly units: number;
  readonly sold: number;
  readonly refused: number;
  readonly falselyRefused: number;
  readonly oversold: number;
  readonly remaining: number;
  readonly errors: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly violations: readonly string[];
}

/** How it was run: without this a figure means nothing. */
export async function describeRun(
  backing: Backing,
  options: Pick<BenchOptions, 'seconds' | 'warmupSeconds' | 'rounds'> & { readonly busy?: number },
): Promise<string[]> {
  const { rows } = await backing.admin.query<{ version: string; fsync: string; sync: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS sync`,
  );
  const [{ version, fsync, sync }] = rows as [(typeof rows)[number]];
  const redis = /v=(\S+)/.exec(output('redis-server', ['--version']))?.[1] ?? '?';
  const load = loadavg()[0] ?? 0;
  return [
    `${new Date().toISOString()}, commit ${output('git', ['rev-parse', '--short', 'HEAD'])}${output('git', ['status', '--porcelain', 'src']) ? ' (with changes)' : ''}`,
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? '?'}), load average at the start ${load.toFixed(1)}${options.busy ? `, beside ${options.busy} busy loops` : ''}`,
    `Node ${process.version}, PostgreSQL ${version} (fsync ${fsync}, synchronous_commit ${sync}), Redis ${redis}, floor by ${hasPgbench() ? 'pgbench' : 'pg'}`,
    `each run ${options.seconds} s after ${options.warmupSeconds.toFixed(1)} s of warm-up, median of ${options.rounds} alternating rounds; services and load generator share the cores`,
    `ours waits for the disk at every commit of its own; its sandbox provider, which is part of the run, does not (ADR 6)`,
  ];
}

function output(command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '?';
  }
}

export function nameOf(result: Pick<Result, 'system' | 'shape'>): string {
  return result.shape ? `${result.system}, ${result.shape}` : result.system;
}

export function oneLine(result: Measurement & Pick<Result, 'violations'>): string {
  const { cpu } = result;
  const failed = result.violations.length > 0 ? `  VIOLATIONS ${result.violations.length}` : '';
  return `${serviceCpuOf(result).toFixed(2)} ms CPU ${result.perSecond.toFixed(0).padStart(6)}/s  p50 ${ms(result.p50)} p95 ${ms(result.p95)} p99 ${ms(result.p99)}  refused ${result.refused} errors ${result.errors}  CPU ms: node ${cpu.node.toFixed(2)} pg ${cpu.postgres.toFixed(2)} redis ${cpu.redis.toFixed(2)} load ${cpu.load.toFixed(2)}${failed}`;
}

function ms(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0);
}

/** Writes JSON, Markdown and the plot; returns what the terminal shows. */
export function writeReport(
  name: string,
  run: readonly string[],
  results: readonly Result[],
  sellouts: readonly SelloutResult[],
): string {
  mkdirSync(RESULTS, { recursive: true });
  const targets = targetsOf(results, sellouts);
  writeFileSync(
    path.join(RESULTS, `${name}.json`),
    `${JSON.stringify({ run, results, sellouts, targets }, null, 2)}\n`,
  );
  const tables = [throughputTable(results), costTable(results), selloutTable(sellouts), targetTable(targets)]
    .filter(Boolean)
    .join('\n\n');
  const text = `# Benchmark\n\n${run.map((line) => `- ${line}`).join('\n')}\n\n![throughput](${name}.svg)\n\n${tables}\n`;
  writeFileSync(path.join(RESULTS, `${name}.md`), text);
  if (results.length > 0) writeFileSync(path.join(RESULTS, `${name}.svg`), throughputPlot(results));
  return `\n${tables}\n\nwritten to bench/results/${name}.{json,md,svg}\n`;
}

/** The same workload and connections, in the same run. */
function ratioTo(results: readonly Result[], result: Result, system: string, shape?: string): string {
  const other = results.find(
    (candidate) =>
      candidate.system === system &&
      candidate.shape === shape &&
      candidate.workload === result.workload &&
      candidate.connections === result.connections,
  );
  return other && other !== result ? spreadText(ratioOf(result.rounds.perSecond, other.rounds.perSecond)) : '';
}

function throughputTable(results: readonly Result[]): string {
  const head = [
    ...[
      'workload',
      'connections',
      'system',
      'CPU ms',
      'checkouts/s',
      'p50 ms',
      'p95 ms',
      'p99 ms',
      'refused',
      'errors',
    ],
    ...['× floor', '× ceiling', '× naive', 'verified'],
  ];
  const rows = results.map((result) => [
    result.workload,
    result.connections,
    nameOf(result),
    spreadText(spreadOf(result.rounds.cpu)),
    Math.round(result.perSecond),
    ms(result.p50),
    ms(result.p95),
    ms(result.p99),
    result.refused === 0 ? 0 : `${result.refused} (${percent(result.refused, result.refused + result.done)})`,
    result.errors,
    ratioTo(results, result, 'floor', 'one transaction'),
    ratioTo(results, result, 'ceiling'),
    ratioTo(results, result, 'naive'),
    result.violations.length === 0 ? 'yes' : `NO: ${result.violations.length}`,
  ]);
  const note =
    'CPU is what the service and its stores use for one checkout, which is steadier than what two busy cores let through. Figures are medians; ratios are taken round by round, with the lowest and highest in brackets.';
  return results.length > 0 ? `${note}\n\n${table(head, rows)}` : '';
}

function costTable(results: readonly Result[]): string {
  const head = [
    ...['workload', 'connections', 'system', 'commits', 'WAL fsyncs', 'WAL bytes', 'statements'],
    ...['CPU ms: Node', 'Postgres', 'Redis', 'load'],
  ];
  const rows = results.map((result) => [
    result.workload,
    result.connections,
    nameOf(result),
    result.commits.toFixed(2),
    result.walFsyncs.toFixed(2),
    Math.round(result.walBytes),
    result.statements?.toFixed(2) ?? '',
    result.cpu.node.toFixed(2),
    result.cpu.postgres.toFixed(2),
    result.cpu.redis.toFixed(2),
    result.cpu.load.toFixed(2),
  ]);
  return results.length > 0 ? `Per checkout:\n\n${table(head, rows)}` : '';
}

function selloutTable(sellouts: readonly SelloutResult[]): string {
  const head = ['system', 'buyers', 'units', 'sold', 'refused', 'falsely refused', 'oversold', 'left', 'errors', 's'];
  const rows = sellouts.map((sale) => [
    sale.system,
    sale.buyers,
    sale.units,
    sale.sold,
    sale.refused,
    sale.falselyRefused,
    sale.oversold,
    sale.remaining,
    sale.errors,
    sale.seconds.toFixed(2),
  ]);
  return sellouts.length > 0 ? `Sell-out, everybody at once:\n\n${table(head, rows)}` : '';
}

function targetTable(targets: readonly Target[]): string {
  const head = ['target', 'measured', 'wanted', 'verdict', 'what stands between (CPU per checkout)'];
  const rows = targets.map(({ what, measured, target, isMet, between }) => [
    what,
    measured,
    target,
    isMet ? 'met' : '**missed**',
    between,
  ]);
  return targets.length > 0 ? `Targets:\n\n${table(head, rows)}` : '';
}

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function percent(part: number, whole: number): string {
  return `${((part / Math.max(1, whole)) * 100).toFixed(0)} %`;
}

function throughputPlot(results: readonly Result[]): string {
  const labels = [...new Set(results.map((result) => result.connections))];
  const names = [...new Set(results.map((result) => `${nameOf(result)} (${result.workload})`))];
  const series = names.map((name) => ({
    name,
    isDashed: name.endsWith('(hot)'),
    values: labels.map(
      (connections) =>
        results.find((row) => row.connections === connections && `${nameOf(row)} (${row.workload})` === name)
          ?.perSecond,
    ),
  }));
  return plot({ title: 'Checkouts per second', xTitle: 'connections', labels: labels.map(String), series });
}
