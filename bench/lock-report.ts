import { Contender, crowded, median, Outage, SECTION_MS, throughOutage, uncontended } from './lock-measure.js';

const ROUNDS = 7;
export const CONCURRENCIES = [1, 16, 64];
const CROWDS = [32, 200];
/** Of the rate of a bare SET + DEL, for the redis driver. */
const MIN_OF_BARE = 0.6;
/** Lanes that go on while a node dies. */
export const OUTAGE_LANES = 16;
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
  /** Of those that have nodes to spare: how one of them is killed. */
  readonly killers: readonly { readonly name: string; readonly what: string; kill(): Promise<void> }[];
}

type Rows = Record<string, Record<string, string | number>>;

export interface LockResults {
  readonly uncontended: Rows;
  /** Cycles per second, by name, at each of CONCURRENCIES. */
  readonly rates: ReadonlyMap<string, readonly number[]>;
  readonly crowds: Rows;
  readonly outages: Rows;
  readonly targets: readonly Target[];
}

/** Ratios within a round are compared, not figures: a busy moment of the machine hits all of a round alike. */
export async function report({ bare, own, naive, killers }: Contenders, durationMs: number): Promise<LockResults> {
  const free = await reportUncontended([...bare, ...own], durationMs);
  const crowds = await reportCrowds(own, naive, durationMs);
  const outages = await reportOutages(own, killers);
  const targets = [...free.targets, ...crowds.targets];
  console.log('Targets');
  console.table(targets.map(({ isMet, ...target }) => ({ ...target, verdict: isMet ? 'met' : 'missed' })));
  return { uncontended: free.rows, rates: free.rates, crowds: crowds.rows, outages, targets };
}

async function reportOutages(own: Contenders['own'], killers: Contenders['killers']): Promise<Rows> {
  console.log(`One node is killed under ${OUTAGE_LANES} lanes, each on its own key`);
  const rows: Rows = {};
  for (const { name, what, kill } of killers) {
    const contender = own.find((each) => each.name === name);
    if (!contender) throw new Error(`no driver ${name}`);
    rows[`${name}, ${what}`] = describeOutage(await throughOutage(contender.cycle, OUTAGE_LANES, kill));
  }
  console.table(rows);
  return rows;
}

function describeOutage({ before, after, pauseMs, failed }: Outage): Record<string, number> {
  return {
    'per second before': Math.round(before),
    'longest pause ms': Math.round(pauseMs),
    'requests failed': failed,
    'per second after': Math.round(after),
  };
}

async function reportUncontended(contenders: readonly Contender[], durationMs: number) {
  console.log(
    `Acquire + release per second, each lane on its own key (median of ${ROUNDS} rounds; part of bare SET + DEL)`,
  );
  const rows: Rows = {};
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const targets: Target[] = [];
  for (const lanes of CONCURRENCIES) {
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const measured: number[] = [];
      for (const { cycle } of contenders) measured.push(await uncontended(cycle, lanes, durationMs / ROUNDS));
      rounds.push(measured);
    }
    for (const [index, { name }] of contenders.entries()) {
      const rate = median(rounds.map((measured) => measured[index] ?? 0));
      const part = median(rounds.map((measured) => (measured[index] ?? 0) / (measured[0] ?? 1)));
      rates.get(name)?.push(rate);
      (rows[name] ??= {})[`at ${lanes}`] = `${Math.round(rate)} (${percent(part)})`;
      if (name !== 'redis') continue;
      const what = `redis, uncontended at ${lanes}, of bare SET + DEL`;
      targets.push({ what, measured: percent(part), target: `≥ ${percent(MIN_OF_BARE)}`, isMet: part >= MIN_OF_BARE });
    }
  }
  console.table(rows);
  return { rows, rates, targets };
}

async function reportCrowds(own: readonly Contender[], naive: Contender, durationMs: number) {
  console.log(
    `One key, sections of ${SECTION_MS} ms (median of ${ROUNDS} rounds); ideal: the same sections back to back`,
  );
  const rows: Rows = {};
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
  return { rows, targets };
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
