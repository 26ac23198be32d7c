import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Load, plan } from './load.js';
import { Measurement, Meter } from './measure.js';
import { plot } from './plot.js';
import { Backing, Server, startBacking, startService } from './processes.js';
import { Progress } from './progress.js';
import { describeRun, RESULTS, table } from './report.js';
import { seedOrders } from './seed-orders.js';
import { SPREAD_SKUS, startOurs, System } from './systems.js';

const AXES = ['lines', 'orders', 'instances'] as const;
type Axis = (typeof AXES)[number];

interface Options {
  readonly axes: readonly Axis[];
  readonly seconds: number;
  readonly connections: number;
  readonly rounds: number;
  readonly orders: readonly number[];
}

/** One point of an axis: measured once per round, the median counts. */
interface Point {
  readonly label: string;
  measure(meter: Meter): Promise<Measurement>;
}

interface Curve {
  readonly axis: Axis;
  readonly labels: readonly string[];
  readonly medians: readonly Measurement[];
}

function parseOptions(argv: string[]): Options {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: AXES.join(',') },
      seconds: { type: 'string' },
      connections: { type: 'string', default: '64' },
      rounds: { type: 'string' },
      orders: { type: 'string' },
    },
  });
  const orders = values.orders ?? (values.quick ? '1000,20000' : '1000,100000,1000000');
  return {
    axes: AXES.filter((axis) => values.only.split(',').includes(axis)),
    seconds: Number(values.seconds ?? (values.quick ? 2 : 6)),
    connections: Number(values.connections),
    rounds: Number(values.rounds ?? (values.quick ? 1 : 3)),
    orders: orders.split(',').map(Number),
  };
}

function pointOf(
  label: string,
  system: Pick<System, 'database' | 'store'>,
  servers: readonly Server[],
  lines: number,
  connections: number,
): Point {
  const [first] = servers;
  const ports = servers.map((server) => server.port);
  return {
    label,
    measure: (meter) =>
      meter.http(
        { ...system, pids: servers.map((server) => server.pid) },
        plan(first!.port, { connections, skus: SPREAD_SKUS, linesPerOrder: lines, ports }),
      ),
  };
}

/** Points take turns, round by round, so that a temporary disturbance of the machine hits all of them. */
async function curveOf(axis: Axis, points: readonly Point[], meter: Meter, rounds: number): Promise<Curve> {
  const progress = new Progress(points.length * rounds);
  const measured: Measurement[][] = points.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, point] of points.entries()) {
      progress.step(`${axis} ${point.label}, round ${round}`);
      const result = await point.measure(meter);
      measured[index]!.push(result);
      const { node, postgres } = result.cpu;
      progress.result(
        `${result.perSecond.toFixed(0)}/s  p50 ${result.p50.toFixed(1)} ms  CPU ms: node ${node.toFixed(2)} pg ${postgres.toFixed(2)}  errors ${result.errors}`,
      );
    }
  }
  const medians = measured.map((results) => {
    const sorted = results.toSorted((a, b) => a.perSecond - b.perSecond);
    return sorted[Math.floor(sorted.length / 2)]!;
  });
  return { axis, labels: points.map((point) => point.label), medians };
}

async function linesCurve(backing: Backing, meter: Meter, options: Options): Promise<Curve> {
  const system = await startOurs(backing, 'growth_lines', []);
  try {
    const points = [1, 2, 4].map((lines) =>
      pointOf(String(lines), system, [system.server!], lines, options.connections),
    );
    await warmUp(system.server!.port);
    return await curveOf('lines', points, meter, options.rounds);
  } finally {
    await system.stop();
  }
}

async function ordersCurve(backing: Backing, meter: Meter, options: Options): Promise<Curve> {
  const systems: System[] = [];
  try {
    for (const count of options.orders) systems.push(await filled(backing, count));
    const points = systems.map((system, index) =>
      pointOf(String(options.orders[index]), system, [system.server!], 2, options.connections),
    );
    return await curveOf('orders', points, meter, options.rounds);
  } finally {
    for (const system of systems) await system.stop();
  }
}

/** The service sells what the copies are made of, and starts again when the tables are full. */
async function filled(backing: Backing, count: number): Promise<System> {
  const system = await startOurs(backing, `growth_${count}`, []);
  await warmUp(system.server!.port, 1_500);
  await system.server!.stop();
  const client = new pg.Client({ connectionString: system.url });
  await client.connect();
  await seedOrders(client, count, (done) => process.stdout.write(`      ${done} of ${count} orders\n`));
  await client.end();
  const server = await startService(backing, system.database);
  await warmUp(server.port);
  const stop = () => server.stop().then(() => system.stop());
  return { ...system, server, stop };
}

async function instancesCurve(backing: Backing, meter: Meter, options: Options): Promise<Curve> {
  const system = await startOurs(backing, 'growth_instances', []);
  const servers = [system.server!];
  try {
    while (servers.length < 4) servers.push(await startService(backing, system.database));
    for (const server of servers) await warmUp(server.port);
    const points = [1, 2, 4].map((count) =>
      pointOf(String(count), system, servers.slice(0, count), 2, options.connections),
    );
    return await curveOf('instances', points, meter, options.rounds);
  } finally {
    for (const server of servers.slice(1)) await server.stop();
    await system.stop();
  }
}

async function warmUp(port: number, ms = 8_000): Promise<void> {
  const load = Load.start(plan(port, { connections: 64, skus: SPREAD_SKUS }));
  await load.running();
  await sleep(ms);
  await load.stop();
}

const CURVES = { lines: linesCurve, orders: ordersCurve, instances: instancesCurve } as const;
const X_TITLES = { lines: 'lines per order', orders: 'orders in the tables', instances: 'instances' } as const;

function write(run: readonly string[], curves: readonly Curve[]): string {
  mkdirSync(RESULTS, { recursive: true });
  const sections = curves.map(({ axis, labels, medians }) => {
    const rows = medians.map((point, i) => [
      labels[i]!,
      Math.round(point.perSecond),
      `${((100 * point.perSecond) / medians[0]!.perSecond).toFixed(0)} %`,
      point.p50.toFixed(1),
      point.p99.toFixed(1),
      point.errors,
      point.cpu.node.toFixed(2),
      point.cpu.postgres.toFixed(2),
      point.cpu.redis.toFixed(2),
    ]);
    const head = [X_TITLES[axis], 'checkouts/s', 'of the first', 'p50 ms', 'p99 ms', 'errors'];
    const chart = plot({
      title: `Checkouts per second by ${X_TITLES[axis]}`,
      xTitle: X_TITLES[axis],
      labels,
      series: [{ name: 'ours, 2 lines unless stated', values: medians.map((point) => point.perSecond) }],
    });
    writeFileSync(path.join(RESULTS, `growth-${axis}.svg`), chart);
    return `## ${X_TITLES[axis]}\n\n![${axis}](growth-${axis}.svg)\n\n${table([...head, 'CPU ms: Node', 'Postgres', 'Redis'], rows)}`;
  });
  const text = `# Cost as work grows\n\n${run.map((line) => `- ${line}`).join('\n')}\n\n${sections.join('\n\n')}\n`;
  writeFileSync(path.join(RESULTS, 'growth.md'), text);
  writeFileSync(path.join(RESULTS, 'growth.json'), `${JSON.stringify({ run, curves }, null, 2)}\n`);
  return `\n${sections.join('\n\n')}\n\nwritten to bench/results/growth.{json,md} and growth-*.svg\n`;
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  const backing = await startBacking();
  try {
    const run = await describeRun(backing, { seconds: options.seconds, warmupSeconds: 1, rounds: options.rounds });
    run.push(`${options.connections} connections`);
    process.stdout.write(`${run.join('\n')}\n`);
    const meter = new Meter({ seconds: options.seconds, warmupSeconds: 1, countSeconds: 0 });
    const curves: Curve[] = [];
    for (const axis of options.axes) curves.push(await CURVES[axis](backing, meter, options));
    process.stdout.write(write(run, curves));
  } finally {
    await backing.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
