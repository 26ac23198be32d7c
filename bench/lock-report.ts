import { Contender, crowded, median, SECTION_MS, uncontended } from './lock-measure.js';

const ROUNDS = 7;
const CONCURRENCIES = [1, 16, 64];
const CROWDS = [32, 200];
/** Of the rate of a bare SET + DEL, for the redis driver. */
const MIN_OF_BARE = 0.6;
/** With the first of CROWDS, on every driver: of sections back to back, and of a wait behind every other contender once. */
const MIN_OF_IDEAL = 0.9;
const MAX_WAIT = 2;

interface Target {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly isMet: boolean;
}

export interface Contenders {
  /** The first is what the others are measured by. */
  readonly bare: readonly Contender[];
  readonly own: readonly Contender[];
  readonly naive: Contender;
}

/** Ratios within a round are compared, not figures: a busy moment of the machine hits all of a round alike. */
export async function report({ bare, own, naive }: Contenders, durationMs: number): Promise<void> {
  const targets = [
    ...(await reportUncontended([...bare, ...own], durationMs)),
    ...(await reportCrowds(own, naive, durationMs)),
  ];
  console.log('Targets');
  console.table(targets.map(({ isMet, ...target }) => ({ ...target, verdict: isMet ? 'met' : 'missed' })));
}

async function reportUncontended(contenders: readonly Contender[], durationMs: number): Promise<Target[]> {
  console.log(
    `Acquire + release per second, each lane on its own key (median of ${ROUNDS} rounds; part of bare SET + DEL)`,
  );
  const rows: Record<string, Record<string, string>> = {};
  const targets: Target[] = [];
  for (const lanes of CONCURRENCIES) {
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const rates: number[] = [];
      for (const { cycle } of contenders) rates.push(await uncontended(cycle, lanes, durationMs / ROUNDS));
      rounds.push(rates);
    }
    for (const [index, { name }] of contenders.entries()) {
      const rate = median(rounds.map((rates) => rates[index] ?? 0));
      const part = median(rounds.map((rates) => (rates[index] ?? 0) / (rates[0] ?? 1)));
      (rows[name] ??= {})[`at ${lanes}`] = `${Math.round(rate)} (${percent(part)})`;
      if (name !== 'redis') continue;
      const what = `redis, uncontended at ${lanes}, of bare SET + DEL`;
      targets.push({ what, measured: percent(part), target: `≥ ${percent(MIN_OF_BARE)}`, isMet: part >= MIN_OF_BARE });
    }
  }
  console.table(rows);
  return targets;
}

async function reportCrowds(own: readonly Contender[], naive: Contender, durationMs: number): Promise<Target[]> {
  console.log(
    `One key, sections of ${SECTION_MS} ms (median of ${ROUNDS} rounds); ideal: the same sections back to back`,
  );
  const rows: Record<string, Record<string, string | number>> = {};
  const targets: Target[] = [];
  for (const crowd of CROWDS) {
    for (const { name, cycle } of [...own, naive]) {
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await crowded(cycle, crowd, durationMs / 2));
      const part = median(rounds.map(({ perSecond, ideal }) => perSecond / ideal));
      const wait = median(rounds.map(({ p99, ideal }) => p99 / ((crowd * 1_000) / ideal)));
      rows[`${name}, ${crowd} contenders`] = {
        'per second': Math.round(median(rounds.map(({ perSecond }) => perSecond))),
        'of ideal': percent(part),
        'wait p50 ms': Math.round(median(rounds.map(({ p50 }) => p50))),
        'wait p99 ms': Math.round(median(rounds.map(({ p99 }) => p99))),
        'p99 / (contenders × section)': Number(wait.toFixed(2)),
      };
      if (crowd === CROWDS[0] && name !== naive.name) targets.push(...crowdTargets(name, crowd, part, wait));
    }
  }
  console.table(rows);
  return targets;
}

function crowdTargets(name: string, crowd: number, part: number, wait: number): Target[] {
  const what = `${name}, one key, ${crowd} contenders`;
  return [
    {
      what: `${what}: of sections back to back`,
      measured: percent(part),
      target: `≥ ${percent(MIN_OF_IDEAL)}`,
      isMet: part >= MIN_OF_IDEAL,
    },
    {
      what: `${what}: p99 wait / (contenders × section)`,
      measured: wait.toFixed(2),
      target: `≤ ${MAX_WAIT}`,
      isMet: wait <= MAX_WAIT,
    },
  ];
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
