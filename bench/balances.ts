import { parseArgs } from 'node:util';
import pg from 'pg';
import { KEYS } from '../test/setup/app-process.js';
import { unpackPreviousRelease } from '../test/upgrade/previous-release.js';
import { type LoadPlan, plan, requestHead } from './load.js';
import { type Measurement, Meter } from './measure.js';
import { startBacking } from './processes.js';
import { table } from './report.js';
import { HOT_SKU, SPREAD_SKUS, startOurs, type System } from './systems.js';

/** More than a run can use up. */
const ACCOUNTS_PER_RUN = 40_000;
const COUPON = 'BENCH';

interface Variant {
  readonly name: string;
  readonly system: System;
  readonly isMixed: boolean;
}

/** An account of its own for every checkout of a run, with a part of the price in it. */
async function fillAccounts(system: System, run: number): Promise<void> {
  const client = new pg.Client({ connectionString: system.url });
  await client.connect();
  await client.query(
    `WITH filled AS (
       INSERT INTO accounts (id, currency, balance) SELECT 'bench-' || $1::int || '-' || n, 'EUR', 300 FROM generate_series(1, $2::int) AS n
       RETURNING id)
     INSERT INTO account_entries (id, account_id, kind, amount, reason, actor)
     SELECT gen_random_uuid(), id, 'ADJUSTMENT', 300, 'bench', 'bench' FROM filled`,
    [run, ACCOUNTS_PER_RUN],
  );
  await client.query('ANALYZE accounts');
  await client.end();
}

async function putCoupon({ server }: System): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${server!.port}/v1/coupons/${COUPON}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-api-key': KEYS.ADMIN_API_KEY },
    body: JSON.stringify({ percentOff: 10, maxRedemptions: 1_000_000_000 }),
  });
  if (!response.ok) throw new Error(`PUT /v1/coupons: ${response.status} ${await response.text()}`);
}

/** Everybody wants the same coupon; an admin's key may spend any account. */
function planFor({ system, isMixed }: Variant, connections: number, isHot: boolean, run: number): LoadPlan {
  const { port } = system.server!;
  const goods = { connections, skus: isHot ? [HOT_SKU] : SPREAD_SKUS, linesPerOrder: isHot ? 1 : 2 };
  if (!isMixed) return plan(port, goods);
  const head = requestHead('127.0.0.1', port, '/v1/checkouts', KEYS.ADMIN_API_KEY);
  const payment = `{"method":"pm_card_visa","credit":[{"accountId":"bench-${run}-#"}]}`;
  return plan(port, { ...goods, head, members: `"coupons":["${COUPON}"],"payment":${payment}` });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function rowOf(name: string, rounds: readonly Measurement[], plain: readonly Measurement[]): string[] {
  const of = (pick: (one: Measurement) => number, from = rounds) => median(from.map(pick));
  const share = of(({ perSecond }) => perSecond) / of(({ perSecond }) => perSecond, plain);
  return [
    name,
    of(({ perSecond }) => perSecond).toFixed(0),
    `${(100 * share).toFixed(0)} %`,
    of(({ p50 }) => p50).toFixed(1),
    of(({ p99 }) => p99).toFixed(1),
    of(({ cpu }) => cpu.node).toFixed(3),
    of(({ cpu }) => cpu.postgres).toFixed(3),
    of(({ walBytes }) => walBytes).toFixed(0),
    of(({ commits }) => commits).toFixed(3),
    String(rounds.reduce((sum, { errors, refused }) => sum + errors + refused, 0)),
  ];
}

const HEAD = [
  '',
  'per second',
  'of plain',
  'p50 ms',
  'p99 ms',
  'Node ms',
  'PostgreSQL ms',
  'WAL bytes',
  'commits',
  'failed',
];

/**
 * `npm run bench:balances`: what coupons and credit cost a checkout, and what they cost one that uses neither, compared with
 * another build (`--before dist/src/main.js` of it; the release before unless given). The variants take turns.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      before: { type: 'string' },
      connections: { type: 'string', default: '64' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      hot: { type: 'boolean', default: false },
    },
  });
  const previous = values.before === undefined ? unpackPreviousRelease() : undefined;
  const backing = await startBacking();
  const seconds = Number(values.seconds);
  const systems: System[] = [];
  const start = async (database: string, main?: string): Promise<System> => {
    const system = await startOurs(backing, database, [], main);
    systems.push(system);
    return system;
  };
  const meter = new Meter({ seconds, warmupSeconds: Math.min(2, seconds), countSeconds: 0 });
  try {
    const before = await start('before', values.before ?? previous!.main);
    const ours = await start('ours');
    await putCoupon(ours);
    const variants: Variant[] = [
      { name: 'before', system: before, isMixed: false },
      { name: 'plain', system: ours, isMixed: false },
      { name: 'coupon and credit', system: ours, isMixed: true },
    ];
    const results = variants.map((): Measurement[] => []);
    let run = 0;
    // The first round warms up and does not count.
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      for (const [index, variant] of variants.entries()) {
        run += 1;
        if (variant.isMixed) await fillAccounts(variant.system, run);
        const load = planFor(variant, Number(values.connections), values.hot, run);
        const measured = await meter.http(variant.system, load);
        process.stdout.write(`round ${round}: ${variant.name} ${measured.perSecond.toFixed(0)}/s\n`);
        if (round > 0) results[index]!.push(measured);
      }
    }
    const rows = variants.map(({ name }, index) => rowOf(name, results[index]!, results[1]!));
    const what = `${values.hot ? 'one hot SKU' : 'spread'}, ${values.connections} connections, median of ${values.rounds} rounds`;
    process.stdout.write(`\n${what}\n${table(HEAD, rows)}\n`);
    const violations = await ours.violations();
    if (violations.length > 0) throw new Error(`violations: ${violations.join('; ')}`);
  } finally {
    for (const system of systems) await system.stop();
    await backing.stop();
    previous?.remove();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
