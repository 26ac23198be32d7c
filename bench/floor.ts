import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import type { PhaseReport } from './load.js';
import { runWithPg } from './floor-pg.js';

export const FLOOR_SHAPES = ['one transaction', 'three transactions', 'one round trip'] as const;
export type FloorShape = (typeof FLOOR_SHAPES)[number];

export interface FloorScript {
  readonly statements: readonly string[];
  readonly isHot: boolean;
}

const KEY = `INSERT INTO idempotency_keys (key) VALUES ('key-' || :key)`;
const ORDER = (state: string) =>
  `INSERT INTO orders (state, currency, total, customer_id) VALUES ('${state}', 'EUR', 2000, 'c' || :customer) RETURNING id AS order_id \\gset`;
const line = (sku: string) =>
  `INSERT INTO order_lines (order_id, sku, quantity, unit_amount) VALUES (:order_id, ${sku}, 1, 1000)`;
const take = (sku: string) => `UPDATE stock SET on_hand = on_hand - 1 WHERE sku = ${sku} AND on_hand >= 1`;
const PAYMENT = (state: string) =>
  `INSERT INTO payments (order_id, state, amount, method) VALUES (:order_id, '${state}', 2000, 'pm_card_visa')`;

/** 9 statements for two lines: BEGIN, key, order, 2 lines, 2 stock rows in order of their SKU, payment, COMMIT. */
export function floorScript(shape: FloorShape, isHot: boolean): FloorScript {
  const skus = isHot ? [`'sku-1'`] : [`'sku-' || :x`, `'sku-' || :y`];
  const lines = skus.map(line);
  const takes = skus.map(take);
  switch (shape) {
    case 'one transaction':
      return {
        isHot,
        statements: ['BEGIN', KEY, ORDER('CONFIRMED'), ...lines, ...takes, PAYMENT('CAPTURED'), 'COMMIT'],
      };
    case 'three transactions':
      return {
        isHot,
        statements: [
          ...['BEGIN', KEY, ORDER('PENDING'), ...lines, ...takes, 'COMMIT'],
          ...[PAYMENT('PENDING')],
          ...['BEGIN', `UPDATE payments SET state = 'CAPTURED' WHERE order_id = :order_id`],
          ...[`UPDATE orders SET state = 'CONFIRMED' WHERE id = :order_id`, 'COMMIT'],
        ],
      };
    case 'one round trip':
      return {
        isHot,
        statements: [`SELECT check_out('key-' || :key, 'c' || :customer, ARRAY[${skus.join(', ')}], 'pm_card_visa')`],
      };
  }
}

export function hasPgbench(): boolean {
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs the script from that many connections; the driver of the floor is pgbench, or pg where there is none. */
export function runFloor(url: string, script: FloorScript, connections: number, seconds: number): Promise<PhaseReport> {
  return hasPgbench()
    ? runWithPgbench(url, script, connections, seconds)
    : runWithPg(url, script, connections, seconds);
}

async function runWithPgbench(
  url: string,
  script: FloorScript,
  connections: number,
  seconds: number,
): Promise<PhaseReport> {
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-floor-'));
  try {
    const file = path.join(directory, 'script.sql');
    writeFileSync(file, pgbenchText(script));
    const threads = Math.min(availableParallelism(), connections);
    // pgbench's clock runs while it connects; its rate leaves that time out.
    const allowance = Math.ceil(connections / 32);
    const flags = [
      '-n',
      '-M',
      'prepared',
      '-c',
      connections,
      '-j',
      threads,
      '-T',
      seconds + allowance,
      '-f',
      file,
      '--log',
    ];
    const child = spawn('pgbench', [...flags.map(String), '--log-prefix', path.join(directory, 'log'), url], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const cpuBefore = waitedCpuMs();
    const [code] = (await once(child, 'close')) as [number | null];
    const tps = Number(/tps = ([\d.]+) \(without/.exec(output)?.[1]);
    const done = Number(/transactions actually processed: (\d+)/.exec(output)?.[1]);
    if (code !== 0 || !(tps > 0)) throw new Error(`pgbench failed:\n${output}`);
    return {
      ...percentiles(readLatencies(directory)),
      seconds: done / tps,
      statuses: { 201: done },
      cpuMs: waitedCpuMs() - cpuBefore,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function pgbenchText({ statements, isHot }: FloorScript): string {
  const picks = isHot
    ? []
    : ['\\set a random(1, 200)', '\\set b (:a + 36) % 200 + 1', '\\set x least(:a, :b)', '\\set y greatest(:a, :b)'];
  const ids = ['\\set key random(1, 9000000000000000000)', '\\set customer random(1, 5000)'];
  const body = statements.map((text) => (text.endsWith('\\gset') ? text : `${text};`));
  return `${[...ids, ...picks, ...body].join('\n')}\n`;
}

/** One line per transaction: client, number, latency in µs, … */
function readLatencies(directory: string): Float64Array {
  const files = readdirSync(directory).filter((name) => name.startsWith('log'));
  const lines = files.flatMap((name) => readFileSync(path.join(directory, name), 'utf8').trim().split('\n'));
  return Float64Array.from(lines, (text) => Number(text.split(' ')[2]) / 1_000);
}

export function percentiles(latencies: Float64Array): Pick<PhaseReport, 'p50' | 'p95' | 'p99' | 'max'> {
  const sorted = latencies.sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

function waitedCpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
