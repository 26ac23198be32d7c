import { setTimeout as sleep } from 'node:timers/promises';
import { startBusyLoops } from './busy.js';
import { FLOOR_SHAPES, floorScript, type FloorShape } from './floor.js';
import { Load, plan } from './load.js';
import { type Measurement, Meter, serviceCpuOf } from './measure.js';
import { type BenchOptions, parseOptions } from './options.js';
import { type Backing, startBacking } from './processes.js';
import { nodeFlagsFor, printProfile, topStatements } from './profile.js';
import { Progress } from './progress.js';
import { describeRun, oneLine, type Result, type SelloutResult, writeReport } from './report.js';
import { medianRound, takeTurns } from './rounds.js';
import { runSellouts } from './sellout.js';
import {
  HOT_SKU,
  type Rival,
  RIVALS,
  SPREAD_SKUS,
  startEmbedded,
  startOurs,
  startPlain,
  type System,
} from './systems.js';

type SystemName = 'floor' | 'ceiling' | 'ours' | 'embedded' | 'naive' | Rival;
type Systems = Map<SystemName, System>;
type Workload = 'spread' | 'hot';

interface Run {
  readonly system: SystemName;
  readonly workload: Workload;
  readonly connections: number;
  readonly shape?: FloorShape;
}

/** Runs of one group are compared with each other, so their systems take turns. */
function schedule(options: BenchOptions): Run[][] {
  const groups = (['spread', 'hot'] as const).flatMap((workload) =>
    options.connections.map((connections) =>
      systemsOf(workload, options).map(([system, shape]) => ({
        system,
        workload,
        connections,
        ...(shape && { shape }),
      })),
    ),
  );
  return groups.filter((group) => group.length > 0);
}

function systemsOf(workload: Workload, { parts, isQuick }: BenchOptions): [SystemName, FloorShape?][] {
  const shapes = isQuick ? FLOOR_SHAPES.slice(0, 1) : FLOOR_SHAPES;
  return [
    ...(parts.has('floor') ? shapes.map((shape): [SystemName, FloorShape] => ['floor', shape]) : []),
    ...(parts.has('ceiling') ? [['ceiling'] as [SystemName]] : []),
    ...(parts.has(workload) ? [['ours'] as [SystemName]] : []),
    ...(parts.has('embedded') ? [['embedded'] as [SystemName]] : []),
    ...(parts.has('naive') ? [['naive'] as [SystemName]] : []),
    ...(parts.has('rivals') && workload === 'hot' ? RIVALS.map((rival): [SystemName] => [rival]) : []),
  ];
}

async function startSystems(backing: Backing, options: BenchOptions): Promise<Systems> {
  const { parts } = options;
  const systems: Systems = new Map();
  if (parts.has('floor')) systems.set('floor', await startPlain(backing, 'floor'));
  if (parts.has('ceiling')) systems.set('ceiling', await startPlain(backing, 'ceiling', 'bare.mjs'));
  if (parts.has('spread') || parts.has('hot') || parts.has('sellout')) {
    systems.set('ours', await startOurs(backing, 'ours', nodeFlagsFor(options, backing.directory)));
  }
  if (parts.has('embedded')) systems.set('embedded', await startEmbedded(backing));
  if (parts.has('naive') || parts.has('sellout')) {
    systems.set('naive', await startPlain(backing, 'naive', 'naive.mjs'));
  }
  if (parts.has('rivals')) {
    for (const DESIGN of RIVALS)
      systems.set(DESIGN, await startPlain(backing, `rival_${DESIGN}`, 'rival.mjs', { DESIGN }));
  }
  return systems;
}

async function measure(meter: Meter, system: System, run: Run): Promise<Measurement> {
  const isHot = run.workload === 'hot';
  if (run.shape) return meter.floor(system, floorScript(run.shape, isHot), run.connections);
  const load = plan(system.server!.port, {
    connections: run.connections,
    skus: isHot ? [HOT_SKU] : SPREAD_SKUS,
    linesPerOrder: isHot ? 1 : 2,
  });
  return meter.http(system, load);
}

interface Round extends Measurement {
  readonly violations: readonly string[];
}

/** With what the database says of the round: orders against confirmed answers, then the invariants. */
async function measureAndVerify(system: System, meter: Meter, run: Run): Promise<Round> {
  const before = await system.confirmedOrders();
  const measured = await measure(meter, system, run);
  const orders = (await system.confirmedOrders()) - before;
  const violations = await system.violations();
  if (orders !== measured.confirmed) violations.unshift(`${orders} orders, but ${measured.confirmed} answers 201`);
  return { ...measured, violations };
}

async function runAll(systems: Systems, meter: Meter, options: BenchOptions): Promise<Result[]> {
  const groups = schedule(options);
  const progress = new Progress(groups.flat().length * options.rounds);
  const results: Result[] = [];
  for (const group of groups) {
    const rounds = await takeTurns(group, options.rounds, async (run, round) => {
      progress.step(`${titleOf(run)}, round ${round}`);
      const measured = await measureAndVerify(systems.get(run.system)!, meter, run);
      progress.result(oneLine(measured));
      return measured;
    });
    results.push(...group.map((run, index) => resultOf(run, rounds[index]!)));
  }
  return results;
}

/** Violations and errors of any round count. */
function resultOf(run: Run, rounds: readonly Round[]): Result {
  const sum = (pick: (round: Round) => number) => rounds.reduce((total, round) => total + pick(round), 0);
  return {
    ...medianRound(rounds),
    ...run,
    errors: sum(({ errors }) => errors),
    refused: sum(({ refused }) => refused),
    done: sum(({ done }) => done),
    violations: rounds.flatMap(({ violations }) => violations),
    rounds: {
      perSecond: rounds.map(({ perSecond }) => perSecond),
      p50: rounds.map(({ p50 }) => p50),
      cpu: rounds.map(serviceCpuOf),
    },
  };
}

function titleOf({ system, shape, workload, connections }: Run): string {
  return `${system}${shape ? ` (${shape})` : ''}, ${workload}, ${connections} connections`;
}

/** Cold code is slow, so every server gets a moment of load before the first measurement. */
async function warmUp(systems: Systems, options: BenchOptions): Promise<void> {
  for (const system of systems.values()) {
    if (!system.server) continue;
    const skus = system.database === 'rival_units' ? [HOT_SKU] : SPREAD_SKUS;
    const load = Load.start(plan(system.server.port, { connections: 64, skus, linesPerOrder: 1 }));
    await load.running();
    await sleep(options.isQuick ? 1_500 : 15_000);
    await load.stop();
  }
}

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  const backing = await startBacking();
  const stopBusyLoops = startBusyLoops(options.busy);
  const countSeconds = options.isQuick && !options.isProfiled ? 0 : 1;
  let systems: Systems = new Map();
  try {
    const run = await describeRun(backing, options);
    process.stdout.write(`${run.join('\n')}\n`);
    systems = await startSystems(backing, options);
    await warmUp(systems, options);
    const warmAtUs = Number(process.hrtime.bigint() / 1_000n);
    const meter = new Meter({ ...options, countSeconds });
    const results = await runAll(systems, meter, options);
    const sellouts: SelloutResult[] = options.parts.has('sellout')
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
    stopBusyLoops();
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
