import { setTimeout as sleep } from 'node:timers/promises';
import { FloorScript, runFloor } from './floor.js';
import { Load, LoadPlan, LoadReport, PhaseReport } from './load.js';
import { cpuMsOf, type Store } from './processes.js';

export interface Measurement {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly done: number;
  /** 409: refused although the stock of these runs never ends. */
  readonly refused: number;
  readonly errors: number;
  readonly commits: number;
  readonly walFsyncs: number;
  readonly walBytes: number;
  readonly statements: number | undefined;
  /** ms of CPU per checkout. */
  readonly cpu: { readonly node: number; readonly postgres: number; readonly redis: number; readonly load: number };
  /** Confirmed answers of the whole run, warm-up included. */
  readonly confirmed: number;
}

/** What is measured: the processes that work for it, and where its data is. */
export interface Subject {
  readonly database: string;
  readonly pids: readonly number[];
  readonly store: Store;
}

interface Counters {
  readonly node: number;
  readonly postgres: number;
  readonly redis: number;
  readonly commits: number;
  readonly walFsyncs: number;
  readonly walBytes: number;
}

/** Takes what one system costs while it is under load, from outside: /proc and Postgres' own statistics. */
export class Meter {
  constructor(private readonly settings: { seconds: number; warmupSeconds: number; countSeconds: number }) {}

  async floor(
    subject: Subject & { readonly url: string },
    script: FloorScript,
    connections: number,
  ): Promise<Measurement> {
    const { seconds, countSeconds } = this.settings;
    const { url, store } = subject;
    await store.admin.query('CHECKPOINT');
    const before = await countersOf(subject);
    const phase = await runFloor(url, script, connections, Math.max(1, Math.round(seconds)));
    const after = await countersOf(subject);
    let extra = 0;
    const statements = await counted(store, countSeconds, async () => {
      const counted = await runFloor(url, script, connections, Math.max(1, Math.round(countSeconds)));
      extra = doneIn(counted);
      return extra;
    });
    return toMeasurement(phase, before, after, statements, doneIn(phase) + extra, 0);
  }

  async http(subject: Subject, plan: LoadPlan): Promise<Measurement> {
    const { seconds, warmupSeconds, countSeconds } = this.settings;
    await subject.store.admin.query('CHECKPOINT');
    const load = Load.start(plan);
    await load.running();
    await sleep(warmupSeconds * 1_000);
    const before = await countersOf(subject);
    load.begin();
    await sleep(seconds * 1_000);
    const phase = await load.end();
    const after = await countersOf(subject);
    const statements = await counted(subject.store, countSeconds, async () => {
      load.begin();
      await sleep(countSeconds * 1_000);
      return doneIn(await load.end());
    });
    const report = await load.stop();
    return toMeasurement(phase, before, after, statements, report.statuses['201'] ?? 0, report.lost);
  }

  /** One request per connection, all at once. */
  async burst(plan: LoadPlan): Promise<{ phase: PhaseReport; report: LoadReport }> {
    const load = Load.start({ ...plan, isBurst: true });
    const phase = await load.phase();
    return { phase, report: await load.done() };
  }
}

function toMeasurement(
  phase: PhaseReport,
  before: Counters,
  after: Counters,
  statements: number | undefined,
  confirmed: number,
  lost: number,
): Measurement {
  const done = doneIn(phase);
  const per = (value: number) => value / Math.max(1, done);
  const answers = Object.values(phase.statuses).reduce((sum, count) => sum + count, 0);
  const refused = phase.statuses['409'] ?? 0;
  return {
    ...{ perSecond: done / phase.seconds, p50: phase.p50, p95: phase.p95, p99: phase.p99, done, refused },
    errors: answers - done - refused + lost,
    commits: per(after.commits - before.commits),
    walFsyncs: per(after.walFsyncs - before.walFsyncs),
    walBytes: per(after.walBytes - before.walBytes),
    statements,
    cpu: {
      node: per(after.node - before.node),
      postgres: per(after.postgres - before.postgres),
      redis: per(after.redis - before.redis),
      load: per(phase.cpuMs),
    },
    confirmed,
  };
}

/** The service's own cost and that of its stores, without the load generator's. */
export function serviceCpuOf({ cpu }: Pick<Measurement, 'cpu'>): number {
  return cpu.node + cpu.postgres + cpu.redis;
}

async function countersOf({ database, pids, store }: Subject): Promise<Counters> {
  const { rows } = await store.admin.query<{ commits: string; fsyncs: string; bytes: string }>(
    `SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = $1) AS commits,
            (SELECT coalesce(sum(fsyncs), 0) FROM pg_stat_io WHERE object = 'wal') AS fsyncs,
            (SELECT wal_bytes FROM pg_stat_wal) AS bytes`,
    [database],
  );
  return {
    node: pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0),
    postgres: cpuMsOf(store.postgresPid, true),
    redis: store.redisPid === undefined ? 0 : cpuMsOf(store.redisPid),
    commits: Number(rows[0]!.commits),
    walFsyncs: Number(rows[0]!.fsyncs),
    walBytes: Number(rows[0]!.bytes),
  };
}

/**
 * Statements per checkout. pg_stat_statements counts in a stretch of its own, after the measured one: its cost per statement
 * would weigh most on those that send many.
 */
async function counted(
  { admin, canCount }: Store,
  seconds: number,
  run: () => Promise<number>,
): Promise<number | undefined> {
  if (seconds === 0 || !canCount) return undefined;
  await track(admin, 'all');
  await sleep(100);
  await admin.query('SELECT pg_stat_statements_reset()');
  const done = await run();
  const { rows } = await admin.query<{ calls: string }>(
    `SELECT coalesce(sum(calls), 0) AS calls FROM pg_stat_statements WHERE toplevel AND query NOT ILIKE '%pg_stat%'`,
  );
  await track(admin, 'none');
  return Number(rows[0]!.calls) / Math.max(1, done);
}

async function track(admin: Store['admin'], what: 'all' | 'none'): Promise<void> {
  await admin.query(`ALTER SYSTEM SET pg_stat_statements.track = '${what}'`);
  await admin.query('SELECT pg_reload_conf()');
}

function doneIn(phase: PhaseReport): number {
  return phase.statuses['201'] ?? 0;
}
