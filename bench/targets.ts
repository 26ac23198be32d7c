import { serviceCpuOf } from './measure.js';
import type { Result, SelloutResult } from './report.js';
import { ratioOf, type Spread, spreadOf, spreadText } from './rounds.js';
import { RIVALS } from './systems.js';

/** The targets of the benchmark; for a missed one, the processor time per checkout that explains it. */
export interface Target {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly isMet: boolean;
  readonly between: string;
}

const ONE_TRANSACTION = 'one transaction';

export function targetsOf(results: readonly Result[], sellouts: readonly SelloutResult[]): Target[] {
  const find: Finder = (system, workload, connections) =>
    results.find(
      (result) =>
        result.system === system &&
        result.workload === workload &&
        result.connections === connections &&
        (result.shape === undefined || result.shape === ONE_TRANSACTION),
    );
  const targets = [...spreadTargets(find), ...hotTargets(find), ...loneTargets(find), selloutTargets(sellouts)].flat();
  return targets.filter((target) => target !== undefined);
}

type Finder = (system: string, workload: 'spread' | 'hot', connections: number) => Result | undefined;

function spreadTargets(find: Finder): (Target | undefined)[] {
  const spread = (connections: number) => find('ours', 'spread', connections);
  const ofFloor = (connections: number, min: number) =>
    atLeast(`spread at ${connections}, of the floor`, min, spread(connections), find('floor', 'spread', connections));
  const some = spread(16);
  return [
    atLeast('spread at 16, of naive', 2, some, find('naive', 'spread', 16)),
    ...[ofFloor(16, 0.7), ofFloor(64, 1.2), ofFloor(200, 2)],
    atLeast('npm start at 64, of ours with Redis', 0.8, find('embedded', 'spread', 64), spread(64)),
    some && atMost('p99 at 16, of p50', 4, '×', spreadOf([some.p99 / some.p50]), some, some),
  ];
}

function hotTargets(find: Finder): (Target | undefined)[] {
  return [16, 64, 200].flatMap((connections) => {
    const hot = find('ours', 'hot', connections);
    return [
      atLeast(`hot at ${connections}, of our spread`, 1, hot, find('ours', 'spread', connections)),
      ...['naive', ...RIVALS].map((rival) =>
        atLeast(`hot at ${connections}, of ${rival}`, 1, hot, find(rival, 'hot', connections)),
      ),
    ];
  });
}

function loneTargets(find: Finder): (Target | undefined)[] {
  const [alone, ceiling] = [find('ours', 'spread', 1), find('ceiling', 'spread', 1)];
  if (!alone || !ceiling) return [];
  return [
    atMost('a lone checkout, CPU of Node, PostgreSQL and Redis', 2.2, 'ms', spreadOf(alone.rounds.cpu), alone, ceiling),
    atMost(
      'a lone checkout, p50 of the ceiling',
      4,
      '×',
      ratioOf(alone.rounds.p50, ceiling.rounds.p50),
      alone,
      ceiling,
    ),
  ];
}

function selloutTargets(sellouts: readonly SelloutResult[]): Target[] {
  return sellouts
    .filter(({ system }) => system === 'ours')
    .map(({ buyers, sold, units, oversold, falselyRefused, errors }) => ({
      what: `sell-out, ${buyers} buyers`,
      measured: `${sold} sold, ${oversold} oversold, ${falselyRefused} falsely refused`,
      target: `${units} sold, 0, 0`,
      isMet: sold === units && oversold + falselyRefused + errors === 0,
      between: '',
    }));
}

/** Checkouts per second, as a multiple of the other's, round by round. */
function atLeast(what: string, min: number, ours?: Result, other?: Result): Target | undefined {
  if (!ours || !other) return undefined;
  const ratio = ratioOf(ours.rounds.perSecond, other.rounds.perSecond);
  const isMet = ratio.median >= min && ours.errors === 0 && ours.refused === 0;
  return {
    ...{ what, measured: `${spreadText(ratio)} ×`, target: `≥ ${min.toFixed(1)} ×`, isMet },
    between: isMet ? '' : between(ours, other),
  };
}

function atMost(what: string, max: number, unit: string, measured: Spread, ours: Result, other: Result): Target {
  const isMet = measured.median <= max;
  return {
    ...{ what, measured: `${spreadText(measured)} ${unit}`, target: `≤ ${max} ${unit}`, isMet },
    between: isMet ? '' : between(ours, other),
  };
}

function between(ours: Result, other: Result): string {
  return `${costOf(ours)}, against ${costOf(other)}`;
}

function costOf(result: Result): string {
  const { system, cpu } = result;
  const parts = [
    ['Node', cpu.node],
    ['Postgres', cpu.postgres],
    ['Redis', cpu.redis],
    ['load', cpu.load],
  ] as const;
  const shown = parts.filter(([, ms]) => ms >= 0.005).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  const cores = (serviceCpuOf(result) + cpu.load) * (result.perSecond / 1_000);
  return `${system}: ${shown.join(' + ')} ms on ${cores.toFixed(1)} cores`;
}
