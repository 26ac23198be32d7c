import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { KEYS } from '../test/setup/app-process.js';
import { startBusyLoops } from './busy.js';
import { Load, type LoadPlan, type Lognormal, type PhaseReport, plan } from './load.js';
import { type Backing, cpuMsOf, type Server, startBacking, startNode } from './processes.js';
import { Progress } from './progress.js';
import { describeRun, RESULTS, table } from './report.js';
import { medianOf, spreadOf, spreadText, takeTurns } from './rounds.js';
import { SPREAD_SKUS, startOurs, type System } from './systems.js';

/** As a provider's status page would show it. */
const SLOW: Lognormal = { p50: 250, p99: 1_500 };
/** The same provider without its time: what is left is what the service can do at most. */
const FAST: Lognormal = { p50: 1, p99: 2 };
const SATURATING = 200;
/** Buyers who rest in between, so that the service has this share of its saturated rate to do. */
const COMFORTABLE = 0.7;

interface Case {
  readonly name: string;
  readonly buyers: number;
  readonly provider: Lognormal;
  readonly restMs: number;
}

interface Round {
  readonly perSecond: number;
  /** What the buyers could do at most if only the provider took time. */
  readonly allowed: number;
  readonly addedP50: number;
  readonly addedP99: number;
  readonly failed: number;
  /** ms per checkout. */
  readonly node: number;
  readonly postgres: number;
  readonly provider: number;
  readonly rssMb: number;
  readonly loopDelayP99: number;
}

interface Stage {
  readonly backing: Backing;
  readonly provider: Server;
  readonly system: System;
  readonly seconds: number;
}

function loadOf({ system }: Stage, { buyers, provider, restMs }: Case): LoadPlan {
  return plan(system.server!.port, { connections: buyers, skus: SPREAD_SKUS, provider, restMs });
}

async function measure(stage: Stage, one: Case): Promise<Round> {
  const { backing, provider, system, seconds } = stage;
  const { pid } = system.server!;
  const load = Load.start(loadOf(stage, one));
  await load.running();
  await sleep(one.provider === SLOW ? 3_000 : 1_000); // until as many are on their way as will be
  await metricsOf(system); // the event loop's delay counts from here
  const cpu = () => [cpuMsOf(pid), cpuMsOf(backing.postgresPid, true), cpuMsOf(provider.pid)] as const;
  const before = cpu();
  load.begin();
  await sleep(seconds * 1_000);
  const phase = await load.end();
  const after = cpu();
  const rssMb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
  const loopDelayP99 = 1_000 * Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(await metricsOf(system))?.[1]);
  const { lost } = await load.stop();
  return { ...roundOf(phase, one, lost, before, after), rssMb, loopDelayP99 };
}

function roundOf(
  { statuses, seconds, added, providerMs = 0 }: PhaseReport,
  { buyers, restMs }: Case,
  lost: number,
  before: readonly [number, number, number],
  after: readonly [number, number, number],
): Omit<Round, 'rssMb' | 'loopDelayP99'> {
  const done = statuses['201'] ?? 0;
  const per = (which: 0 | 1 | 2) => (after[which] - before[which]) / Math.max(1, done);
  return {
    perSecond: done / seconds,
    allowed: (1_000 * buyers) / (providerMs + restMs),
    addedP50: added?.p50 ?? 0,
    addedP99: added?.p99 ?? 0,
    failed: Object.values(statuses).reduce((sum, count) => sum + count, 0) - done + lost,
    ...{ node: per(0), postgres: per(1), provider: per(2) },
  };
}

async function metricsOf({ server }: System): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${server!.port}/metrics`, {
    headers: { 'x-api-key': KEYS.ADMIN_API_KEY },
  });
  return response.text();
}

const HEAD = [
  ...['', 'checkouts/s', 'allowed', 'added p50 ms', 'added p99 ms', 'failed'],
  ...['Node ms', 'PostgreSQL ms', 'provider ms', 'RSS MB', 'loop delay p99 ms'],
];

function rowOf({ name, provider }: Case, rounds: readonly Round[]): string[] {
  const of = (pick: (round: Round) => number, digits = 0) => medianOf(rounds.map(pick)).toFixed(digits);
  return [
    name,
    spreadText(spreadOf(rounds.map(({ perSecond }) => perSecond)), 0),
    provider === FAST ? '' : of(({ allowed }) => allowed),
    of(({ addedP50 }) => addedP50),
    of(({ addedP99 }) => addedP99),
    String(rounds.reduce((sum, { failed }) => sum + failed, 0)),
    ...[of(({ node }) => node, 2), of(({ postgres }) => postgres, 2), of(({ provider: ms }) => ms, 2)],
    of(({ rssMb }) => rssMb),
    of(({ loopDelayP99 }) => loopDelayP99),
  ];
}

function casesOf(saturatedRate: number): Case[] {
  const meanMs = SLOW.p50 * Math.exp((Math.log(SLOW.p99 / SLOW.p50) / 2.326) ** 2 / 2);
  const resting = (buyers: number): Case => {
    const restMs = Math.max(0, (1_000 * buyers) / (COMFORTABLE * saturatedRate) - meanMs);
    return { name: `${buyers} buyers, ${COMFORTABLE * 100} % of the saturated rate`, buyers, provider: SLOW, restMs };
  };
  const eager = (buyers: number): Case => ({ name: `${buyers} buyers`, buyers, provider: SLOW, restMs: 0 });
  return [...[64, 200, 1_000, 2_000].map(eager), resting(1_000), resting(2_000)];
}

interface Target {
  readonly what: string;
  readonly measured: string;
  readonly isMet: boolean;
}

function targetsOf(cases: readonly Case[], results: readonly Round[][], saturated: readonly Round[]): Target[] {
  const rate = medianOf(saturated.map(({ perSecond }) => perSecond));
  const find = (name: string) => results[cases.findIndex((one) => one.name.startsWith(name))]!;
  const median = (rounds: readonly Round[], pick: (round: Round) => number) => medianOf(rounds.map(pick));
  const thousand = find('1000 buyers');
  const resting = find('1000 buyers, 70 %');
  const share = median(thousand, ({ perSecond, allowed }) => perSecond / Math.min(allowed, rate));
  const [p50, p99] = [median(resting, ({ addedP50 }) => addedP50), median(resting, ({ addedP99 }) => addedP99)];
  const failed = [...find('2000 buyers'), ...find('2000 buyers, 70 %')].reduce((sum, round) => sum + round.failed, 0);
  const rss = Math.max(...results.flat().map(({ rssMb }) => rssMb));
  return [
    {
      what: '1,000 buyers: ≥ 90 % of what the provider allows or of the saturated rate, whichever is less',
      measured: `${(100 * share).toFixed(0)} %`,
      isMet: share >= 0.9,
    },
    {
      what: '1,000 buyers who rest: added latency p50 ≤ 30 ms, p99 ≤ 150 ms',
      measured: `${p50.toFixed(0)} and ${p99.toFixed(0)} ms`,
      isMet: p50 <= 30 && p99 <= 150,
    },
    { what: '2,000 buyers without errors', measured: `${failed} failed`, isMet: failed === 0 },
    { what: 'RSS ≤ 400 MB', measured: `${rss.toFixed(0)} MB`, isMet: rss <= 400 },
  ];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '6' },
      rounds: { type: 'string', default: '3' },
      busy: { type: 'boolean', default: false },
    },
  });
  const backing = await startBacking();
  const provider = await startNode([path.join(import.meta.dirname, 'servers/provider.mjs')], {}, '/');
  const stopBusyLoops = startBusyLoops(values.busy ? 2 : 0);
  let system: System | undefined;
  try {
    system = await startOurs(backing, 'ours', [], undefined, {
      PAYMENT_GATEWAY: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_bench',
      STRIPE_WEBHOOK_SECRET: 'whsec_bench',
      STRIPE_API_BASE: `http://127.0.0.1:${provider.port}`,
    });
    const rounds = Number(values.rounds);
    const stage: Stage = { backing, provider, system, seconds: Number(values.seconds) };
    const run = await describeRun(backing, { ...stage, warmupSeconds: 3, rounds, busy: values.busy ? 2 : 0 });
    const fast: Case = { name: 'saturated: 200 buyers, no time', buyers: SATURATING, provider: FAST, restMs: 0 };
    await measure({ ...stage, seconds: 10 }, fast); // warms up
    const first = await measure(stage, fast);
    const cases = [fast, ...casesOf(first.perSecond)];
    const progress = new Progress(cases.length * rounds);
    const results = await takeTurns(cases, rounds, async (one, round) => {
      progress.step(`${one.name}, round ${round}`);
      const measured = await measure(stage, one);
      progress.result(
        `${measured.perSecond.toFixed(0)}/s of ${measured.allowed.toFixed(0)}, added ${measured.addedP50.toFixed(0)} / ${measured.addedP99.toFixed(0)} ms, ${measured.failed} failed`,
      );
      return measured;
    });
    const violations = await system.violations();
    const targets = targetsOf(cases, results, results[0]!);
    const verdicts = targets.map(({ what, measured, isMet }) => [what, measured, isMet ? 'met' : '**missed**']);
    const text = [
      run.map((note) => `- ${note}`).join('\n'),
      `The provider is a process of its own behind Stripe's SDK and takes a lognormal time (p50 ${SLOW.p50} ms, p99 ${SLOW.p99} ms) that the buyer knows. _Added_ is an answer's time without the provider's. _Allowed_ is what as many buyers could buy if nothing else took time. Eager buyers buy again at once, so beyond the saturated rate they wait for each other; the others rest in between.`,
      table(
        HEAD,
        cases.map((one, index) => rowOf(one, results[index]!)),
      ),
      table(['target', 'measured', 'verdict'], verdicts),
      violations.length === 0 ? 'All invariants hold.' : `VIOLATIONS: ${violations.join('; ')}`,
    ].join('\n\n');
    process.stdout.write(`\n${text}\n`);
    writeFileSync(
      path.join(RESULTS, 'provider.md'),
      `# A provider that takes its time\n\n\`npm run bench:provider\`\n\n${text}\n`,
    );
    if (violations.length > 0) process.exitCode = 1;
  } finally {
    stopBusyLoops();
    await system?.stop();
    await provider.stop();
    await backing.stop();
  }
}

await main();
process.exit();
