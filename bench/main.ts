import { setTimeout as sleep } from 'node:timers/promises';
import { FLOOR_SHAPES, floorScript, FloorShape } from './floor.js';
import { Load, plan } from './load.js';
import { Measurement, Meter } from './measure.js';
import { BenchOptions, parseOptions } from './options.js';
import { Backing, startBacking } from './processes.js';
import { nodeFlagsFor, printProfile, topStatements } from './profile.js';
import { Progress } from './progress.js';
import { describeRun, oneLine, Result, SelloutResult, writeReport } from './report.js';
import { runSellouts } from './sellout.js';
import { HOT_SKU, SPREAD_SKUS, startOurs, startPlain, System } from './systems.js';

type SystemName = 'floor' | 'ceiling' | 'ours' | 'naive';
type Workload = 'spread' | 'hot';

interface Run {
  readonly system: SystemName;
  readonly workload: Workload;
  readonly connections: number;
  readonly shape?: FloorShape;
}

/** Systems take turns at each number of connections, so that a ratio compares neighbours in time. */
function schedule(options: BenchOptions): Run[] {
  const runs: Run[] = [];
  const shapes = options.isQuick ? FLOOR_SHAPES.slice(0, 1) : FLOOR_SHAPES;
  for (const workload of ['spread', 'hot'] as const) {
    for (const connections of options.connections) {
      const add = (system: SystemName, shape?: FloorShape) =>
        runs.push({ system, workload, connections, ...(shape && { shape }) });
      if (options.parts.has('a')) for (const shape of shapes) add('floor', shape);
      if (options.parts.has("a'")) add('ceiling');
      if (options.parts.has(workload === 'hot' ? 'c' : 'b')) add('ours');
      if (options.parts.has('d')) add('naive');
    }
  }
  return runs;
}

async function startSystems(backing: Backing, options: BenchOptions): Promise<Map<SystemName, System>> {
  const { parts } = options;
  const systems = new Map<SystemName, System>();
  if (parts.has('a')) systems.set('floor', await startPlain(backing, 'floor'));
  if (parts.has("a'")) systems.set('ceiling', await startPlain(backing, 'ceiling', 'bare.mjs'));
  if (parts.has('b') || parts.has('c') || parts.has('e')) {
    systems.set('ours', await startOurs(backing, 'ours', nodeFlagsFor(options, backing.directory)));
  }
  if (parts.has('d') || parts.has('e')) systems.set('naive', await startPlain(backing, 'naive', 'naive.mjs'));
  return systems;
}

async function measure(meter: Meter, system: System, run: Run): Promise<Measurement> {
  const isHot = run.workload === 'hot';
  if (run.shape) return meter.floor(system.url, system.database, floorScript(run.shape, isHot), run.connections);
  const server = system.server!;
  const load = plan(server.port, {
    connections: run.connections,
    skus: isHot ? [HOT_SKU] : SPREAD_SKUS,
    linesPerOrder: isHot ? 1 : 2,
  });
  return meter.http(system.database, [server.pid], load);
}

/** Orders in the database against confirmed answers, then the invariants. */
async function verify(system: System, before: number, measured: Measurement): Promise<string[]> {
  const orders = (await system.confirmedOrders()) - before;
  const violations = await system.violations();
  if (orders !== measured.confirmed) violations.unshift(`${orders} orders, but ${measured.confirmed} answers 201`);
  return violations;
}

/**
 * Each round visits every system at one number of connections before the next one, so that a temporary disturbance hits
 * neighbours alike. The median of the rounds counts.
 */
async function runAll(systems: Map<SystemName, System>, meter: Meter, options: BenchOptions): Promise<Result[]> {
  const runs = schedule(options);
  const progress = new Progress(runs.length * options.rounds);
  const results: Result[] = [];
  for (const group of groupsOf(runs)) {
    const rounds = group.map((): Result[] => []);
    for (let round = 1; round <= options.rounds; round += 1) {
      for (const [index, run] of group.entries()) {
        progress.step(`${titleOf(run)}, round ${round}`);
        const result = await measureAndVerify(systems.get(run.system)!, meter, run);
        rounds[index]!.push(result);
        progress.result(oneLine(result));
      }
    }
    results.push(...rounds.map(medianOf));
  }
  return results;
}

async function measureAndVerify(system: System, meter: Meter, run: Run): Promise<Result> {
  const before = await system.confirmedOrders();
  const measured = await measure(meter, system, run);
  return { ...run, ...measured, violations: await verify(system, before, measured) };
}

function groupsOf(runs: readonly Run[]): Run[][] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const key = `${run.workload} ${run.connections}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

/** By throughput. Violations and errors of any round count. */
function medianOf(rounds: readonly Result[]): Result {
  const sorted = rounds.toSorted((one, other) => one.perSecond - other.perSecond);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  const errors = rounds.reduce((sum, round) => sum + round.errors, 0);
  return { ...median, errors, violations: rounds.flatMap((round) => round.violations) };
}

function titleOf({ system, shape, workload, connections }: Run): string {
  return `${system}${shape ? ` (${shape})` : ''}, ${workload}, ${connections} connections`;
}

/** Cold code is slow, so every server gets a moment of load before the first measurement. */
async function warmUp(systems: Map<SystemName, System>, options: BenchOptions): Promise<void> {
  for (const system of systems.values()) {
    if (!system.server) continue;
    const load = Load.start(plan(system.server.port, { connections: 64, skus: SPREAD_SKUS }));
    await load.running();
    await sleep(options.isQuick ? 1_500 : 15_000);
    await load.stop();
  }
}

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  const backing = await startBacking();
  const countSeconds = options.isQuick && !options.isProfiled ? 0 : 1;
  let systems = new Map<SystemName, System>();
  try {
    const run = await describeRun(backing, options);
    process.stdout.write(`${run.join('\n')}\n`);
    systems = await startSystems(backing, options);
    await warmUp(systems, options);
    const warmAtUs = Number(process.hrtime.bigint() / 1_000n);
    const meter = new Meter(backing, { ...options, countSeconds });
    const results = await runAll(systems, meter, options);
    const sellouts: SelloutResult[] = options.parts.has('e')
      ? await runSellouts(meter, [systems.get('ours')!, systems.get('naive')!], options.isQuick ? [200] : [200, 2_000])
      : [];
    if (options.isProfiled) process.stdout.write(await topStatements(backing, 'ours'));
    await systems.get('ours')?.server?.stop();
    if (options.isProfiled) printProfile(backing.directory, warmAtUs);
    process.stdout.write(writeReport(options.name, run, results, sellouts));
    const failures = [...results, ...sellouts].flatMap((result) => result.violations);
    for (const failure of failures) process.stderr.write(`VIOLATION ${failure}\n`);
    return failures.length > 0 ? 1 : 0;
  } finally {
    for (const system of systems.values()) await system.stop().catch(() => undefined);
    await backing.stop();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
