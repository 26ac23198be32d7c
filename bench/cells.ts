import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Haproxy } from '../test/setup/haproxy.js';
import { Cell, startRouter } from './cell.js';
import { CellBuyers, type Sales } from './cell-buyers.js';
import { table } from './report.js';

const TARGET = path.join(import.meta.dirname, 'results/cells.md');
const WARMUP_MS = 2_000;

interface Options {
  readonly cells: number;
  readonly perSecond: number;
  readonly ms: number;
}

/** All cells run; only the first `busy` of them have buyers. */
async function sell(cells: readonly Cell[], router: Haproxy, busy: number, { perSecond, ms }: Options) {
  const open = cells.slice(0, busy);
  const buyers = open.map((cell) => new CellBuyers(cell, router.port, perSecond));
  await sleep(WARMUP_MS);
  for (const each of buyers) each.take();
  const before = open.map(({ cpuMs }) => cpuMs);
  const startedAt = performance.now();
  await sleep(ms);
  const sales = buyers.map((each) => each.take());
  const cores = open.map(({ cpuMs }, index) => (cpuMs - before[index]!) / (performance.now() - startedAt));
  await Promise.all(buyers.map((each) => each.goHome()));
  return { sales, cores };
}

function rowOf(busy: number, sales: readonly Sales[], cores: readonly number[]): string[] {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const total = sum(sales.map(({ perSecond }) => perSecond));
  return [
    String(busy),
    total.toFixed(0),
    (total / busy).toFixed(0),
    Math.max(...sales.map(({ p50 }) => p50)).toFixed(1),
    Math.max(...sales.map(({ p99 }) => p99)).toFixed(1),
    (sum(cores) / busy).toFixed(2),
    String(sum(sales.map(({ failed }) => failed))),
  ];
}

async function growth(cells: readonly Cell[], router: Haproxy, options: Options): Promise<string> {
  const rows: string[][] = [];
  await sell(cells, router, cells.length, options); // warms them up: a process is slow until its code is compiled
  for (let busy = 1; busy <= cells.length; busy += 1) {
    const { sales, cores } = await sell(cells, router, busy, options);
    rows.push(rowOf(busy, sales, cores));
    process.stdout.write(`${busy} of ${cells.length} cells: ${rows.at(-1)![1]} checkouts/s\n`);
  }
  const head = ['cells', 'checkouts/s', 'per cell', 'p50 ms', 'p99 ms', 'cores per cell', 'failed'];
  return table(head, rows);
}

/** The database of the last cell falls silent while all of them sell, comes back, and is killed. */
async function death(cells: readonly Cell[], router: Haproxy, { perSecond, ms }: Options): Promise<string> {
  const dying = cells.at(-1)!;
  const buyers = cells.map((cell) => new CellBuyers(cell, router.port, perSecond));
  const rows: string[][] = [];
  const note = (phase: string) => {
    const sales = buyers.map((each) => each.take());
    const others = sales.slice(0, -1);
    const mean = others.reduce((sum, each) => sum + each.perSecond, 0) / others.length;
    const slowest = Math.max(...others.map(({ p99 }) => p99));
    const failed = others.reduce((sum, each) => sum + each.failed, 0);
    const own = sales.at(-1)!;
    rows.push([
      phase,
      mean.toFixed(0),
      slowest.toFixed(1),
      String(failed),
      own.perSecond.toFixed(0),
      String(own.failed),
    ]);
    process.stdout.write(`${rows.at(-1)!.join(' · ')}\n`);
  };
  await sleep(WARMUP_MS);
  buyers.forEach((each) => each.take());
  await sleep(ms);
  note('before');
  dying.silenceDatabase();
  await sleep(ms);
  note('its database is silent');
  dying.wakeDatabase();
  await sleep(ms);
  note('it answers again');
  await sleep(ms);
  note('later');
  dying.killDatabase();
  await sleep(ms);
  note('its database is killed');
  await Promise.all(buyers.map((each) => each.goHome()));
  return table(['', 'others: each, per second', 'p99 ms', 'failed', 'the cell: per second', 'failed'], rows);
}

/** `npm run bench:cells -- --cells 4 --rate 60`: shops with databases of their own, behind one proxy that knows them by name. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      cells: { type: 'string', default: '4' },
      rate: { type: 'string', default: '60' },
      seconds: { type: 'string', default: '10' },
    },
  });
  const options = { cells: Number(values.cells), perSecond: Number(values.rate), ms: Number(values.seconds) * 1_000 };
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-cells-'));
  chmodSync(directory, 0o755);
  const cells: Cell[] = [];
  let router: Haproxy | undefined;
  try {
    for (let number = 1; number <= options.cells; number += 1)
      cells.push(await Cell.start(`shop-${number}`, directory));
    router = await startRouter(cells);
    const grown = await growth(cells, router, options);
    const killed = await death(cells, router, options);
    const text = report(options, grown, killed);
    process.stdout.write(`\n${text}`);
    writeFileSync(TARGET, text);
  } finally {
    await router?.stop();
    await Promise.all(cells.map((cell) => cell.stop()));
    rmSync(directory, { recursive: true, force: true });
  }
}

function report({ perSecond, ms }: Options, grown: string, killed: string): string {
  return `# Cells

\`npm run bench:cells\`: every cell is a PostgreSQL (fsync on) and an instance of its own, behind one HAProxy that routes by a map of host names. Each cell is offered ${perSecond} checkouts a second for ${ms / 1_000} s, whether or not it keeps up. Everything, the buyers included, shares ${availableParallelism()} cores.

## Checkouts per second for each cell that is added

${grown}

## What a dying cell costs the others

${killed}
`;
}

await main();
