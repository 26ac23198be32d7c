import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { shelve } from '../setup/shop.js';
import { check } from './checks.js';
import { Crowd } from '../setup/crowd.js';
import { FAULTS } from './faults.js';
import { PatroniCluster } from './patroni-cluster.js';
import type { Haproxy } from '../setup/haproxy.js';
import { startTcpBalancer } from './tcp-balancer.js';

const USAGE = `npm run test:ha [-- --rounds 3 --buyers 12 --checkouts 2000 --freeze 60 --kinds "killed,frozen"]`;
const SKUS = ['ha-1', 'ha-2', 'ha-3', 'ha-4'];
/** So many checkouts before and after each fault. */
const SALES_AROUND = 20;

interface Options {
  readonly rounds: number;
  readonly buyers: number;
  readonly checkouts: number;
  readonly freezeMs: number;
  readonly kinds: readonly string[];
}

interface Round {
  readonly kind: string;
  readonly outageMs: number;
  readonly checkouts: number;
  readonly violations: readonly string[];
}

function parseOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      buyers: { type: 'string', default: '12' },
      checkouts: { type: 'string', default: '2000' },
      freeze: { type: 'string', default: '60' },
      kinds: { type: 'string', default: '' },
    },
  });
  const wanted = values.kinds.split(',');
  const options = {
    rounds: Number(values.rounds),
    buyers: Number(values.buyers),
    checkouts: Number(values.checkouts),
    freezeMs: Number(values.freeze) * 1_000,
    kinds: Object.keys(FAULTS).filter((kind) => wanted.some((word) => kind.includes(word))),
  };
  if (!(options.rounds > 0 && options.buyers > 0 && options.freezeMs > 0)) throw new Error(USAGE);
  return options;
}

/** One instance goes through the balancer, the other knows both hosts itself. */
async function startApps(cluster: PatroniCluster, balancer: Haproxy): Promise<AppProcess[]> {
  const [first, second] = cluster.nodes;
  const credentials = new URL(first!.url);
  const login = `${credentials.username}:${credentials.password}`;
  const urls = [
    `postgres://${login}@127.0.0.1:${balancer.port}/checkout`,
    `postgres://${login}@127.0.0.1:${first!.port},127.0.0.1:${second!.port}/checkout?target_session_attrs=read-write`,
  ];
  const apps: AppProcess[] = [];
  for (const DATABASE_URL of urls) {
    const env = { DATABASE_URL, SAGA_LEASE_MS: '5000', DATABASE_STATEMENT_TIMEOUT_MS: '4000', DATABASE_POOL_SIZE: '8' };
    apps.push(await startAppProcess(env));
  }
  return apps;
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE DATABASE checkout');
  await client.end();
}

class Run {
  private readonly startedAt = performance.now();
  readonly rounds: Round[] = [];

  constructor(
    private readonly options: Options,
    private readonly cluster: PatroniCluster,
    private readonly apps: readonly AppProcess[],
  ) {}

  async all(): Promise<void> {
    const { rounds, kinds, checkouts } = this.options;
    const total = rounds * kinds.length;
    for (let round = 0; round < rounds; round += 1)
      for (const kind of kinds) {
        const done = this.rounds.reduce((sum, each) => sum + each.checkouts, 0);
        await this.round(kind, Math.max(2 * SALES_AROUND, (checkouts - done) / (total - this.rounds.length)));
      }
  }

  log(line: string): void {
    const seconds = ((performance.now() - this.startedAt) / 1_000).toFixed(1);
    process.stdout.write(`${seconds.padStart(7)} s  ${line}\n`);
  }

  private async round(kind: string, share: number): Promise<void> {
    await this.cluster.whole();
    const crowd = new Crowd(this.apps, SKUS, this.options.buyers);
    const sold = (count: number) =>
      eventually(`${count} sales`, () => crowd.confirmed.length >= count, { withinMs: 240_000 });
    await sold(SALES_AROUND);
    const since = performance.now();
    await FAULTS[kind]!(this.cluster, crowd, this.options);
    await sold(Math.max(share, crowd.confirmed.length + SALES_AROUND));
    const outageMs = crowd.longestOutageMs(since);
    await crowd.goHome();
    const violations = await check(await this.cluster.leader(), this.apps, crowd);
    this.rounds.push({ kind, outageMs, checkouts: crowd.confirmed.length, violations });
    const answers = JSON.stringify(crowd.statuses());
    this.log(`${kind}: ${crowd.confirmed.length} checkouts, outage ${(outageMs / 1_000).toFixed(1)} s, ${answers}`);
    for (const violation of violations) this.log(`  VIOLATION ${violation}`);
  }
}

function report(rounds: readonly Round[]): number {
  const kinds = [...new Set(rounds.map(({ kind }) => kind))];
  const lines = kinds.map((kind) => {
    const ofKind = rounds.filter((round) => round.kind === kind);
    const longest = Math.max(...ofKind.map(({ outageMs }) => outageMs));
    return `  ${kind.padEnd(36)} × ${ofKind.length}  longest outage ${(longest / 1_000).toFixed(1).padStart(6)} s`;
  });
  const violations = rounds.flatMap((round) => round.violations).length;
  const checkouts = rounds.reduce((sum, round) => sum + round.checkouts, 0);
  process.stdout.write(`\n${lines.join('\n')}\n  ${checkouts} checkouts acknowledged, ${violations} violations\n`);
  return violations;
}

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  const cluster = await PatroniCluster.start();
  const balancer = await startTcpBalancer(cluster.nodes);
  let apps: AppProcess[] = [];
  try {
    await createDatabase((await cluster.leader()).url);
    apps = await startApps(cluster, balancer);
    for (const sku of SKUS) await shelve(apps[0]!.api, sku, 1_000_000);
    const run = new Run(options, cluster, apps);
    run.log('a Patroni cluster of two, and two instances of the service');
    await run.all();
    if (report(run.rounds) > 0) throw new Error('violations');
    return 0;
  } catch (error) {
    const file = path.join(tmpdir(), `test-ha-${process.pid}.log`);
    writeFileSync(file, [...apps.map((app) => app.output()), cluster.logs()].join('\n-----\n'));
    process.stderr.write(`the logs are in ${file}\n`);
    throw error;
  } finally {
    await Promise.all(apps.map((app) => app.stop('SIGKILL')));
    await balancer.stop();
    await cluster.stop();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(2);
  },
);
