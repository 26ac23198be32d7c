import type { Result, SelloutResult } from './report.js';

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
  const find = (system: string, workload: string, connections: number) =>
    results.find(
      (result) =>
        result.system === system &&
        result.workload === workload &&
        result.connections === connections &&
        (result.shape === undefined || result.shape === ONE_TRANSACTION),
    );
  const targets: Target[] = [];
  const ratio = (what: string, min: number, ours?: Result, other?: Result) => {
    if (!ours || !other) return;
    const measured = ours.perSecond / other.perSecond;
    const isMet = measured >= min && ours.errors === 0 && ours.refused === 0;
    targets.push({
      what,
      measured: `${measured.toFixed(2)} ×`,
      target: `≥ ${min.toFixed(1)} ×`,
      isMet,
      between: isMet ? '' : `${costOf(ours)}, against ${costOf(other)}`,
    });
  };
  const latency = (what: string, max: number, measured: number | undefined, ours?: Result, other?: Result) => {
    if (measured === undefined || !ours || !other) return;
    const isMet = measured <= max;
    targets.push({
      what,
      measured: `${measured.toFixed(2)} ×`,
      target: `≤ ${max} ×`,
      isMet,
      between: isMet ? '' : `${costOf(ours)}, against ${costOf(other)}`,
    });
  };
  const spread = (connections: number) => find('ours', 'spread', connections);
  const hot = (connections: number) => find('ours', 'hot', connections);
  ratio('spread at 64, of the floor', 1, spread(64), find('floor', 'spread', 64));
  ratio('spread at 200, of the floor', 1.5, spread(200), find('floor', 'spread', 200));
  for (const connections of [64, 200]) {
    ratio(`spread at ${connections}, of naive`, 2, spread(connections), find('naive', 'spread', connections));
    ratio(`hot at ${connections}, of our spread`, 1, hot(connections), spread(connections));
    ratio(`hot at ${connections}, of the floor`, 2, hot(connections), find('floor', 'hot', connections));
  }
  const [alone, ceiling, some] = [spread(1), find('ceiling', 'spread', 1), spread(16)];
  latency('p50 at 1, of the ceiling', 3, alone && ceiling && alone.p50 / ceiling.p50, alone, ceiling);
  latency('p99 at 16, of p50', 4, some && some.p99 / some.p50, some, some);
  for (const sale of sellouts.filter(({ system }) => system === 'ours')) {
    const { sold, units, oversold, falselyRefused, errors } = sale;
    targets.push({
      what: `sell-out, ${sale.buyers} buyers`,
      measured: `${sold} sold, ${oversold} oversold, ${falselyRefused} falsely refused`,
      target: `${units} sold, 0, 0`,
      isMet: sold === units && oversold + falselyRefused + errors === 0,
      between: '',
    });
  }
  return targets;
}

function costOf({ system, cpu }: Result): string {
  const parts = [
    ['Node', cpu.node],
    ['Postgres', cpu.postgres],
    ['Redis', cpu.redis],
    ['load', cpu.load],
  ] as const;
  const told = parts.filter(([, ms]) => ms >= 0.005).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return `${system}: ${told.join(' + ')} ms`;
}
