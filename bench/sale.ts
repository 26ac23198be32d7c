import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { plot } from './plot.js';
import { type Backing, cpuMsOf, type Server, startBacking, startService } from './processes.js';
import { Progress } from './progress.js';
import { RESULTS, table } from './report.js';
import { type Following } from './sale-client.js';
import { type MapFigures, readMap } from './sale-map.js';
import { addSeats, playSale, type SaleFigures, type Stage } from './sale-play.js';

const DATABASE = 'ours';
/** All clients come from one address here. */
const ENV = {
  EVENT_STREAMS_PER_CALLER: '100000',
  CROWD_STREAM_LIMIT: '20000',
  MAX_CONNECTIONS: '30000',
  MAX_REQUESTS_IN_FLIGHT: '10000',
};

interface Run {
  readonly seats: number;
  readonly by: Following;
}

interface Result extends Run {
  readonly clients: number;
  readonly figures: SaleFigures;
}

function parseOptions(argv: string[]) {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: 'boolean', default: false },
      clients: { type: 'string' },
      seats: { type: 'string', default: '50,500' },
      by: { type: 'string', default: 'poll,sse' },
      readers: { type: 'string' },
      name: { type: 'string', default: 'sale' },
    },
  });
  const by = values.by.split(',').filter((way) => way === 'poll' || way === 'sse');
  const seats = values.seats.split(',').map(Number);
  return {
    name: values.name,
    clients: Number(values.clients ?? (values.quick ? 500 : 10_000)),
    readers: Number(values.readers ?? (values.quick ? 200 : 5_000)),
    waitSeconds: values.quick ? 5 : 20,
    runs: by.flatMap((way): Run[] => seats.map((count) => ({ seats: count, by: way }))),
  };
}

async function queriesOf(backing: Backing, like = '%'): Promise<number> {
  const { rows } = await backing.admin.query(
    `SELECT coalesce(sum(calls), 0)::float8 AS calls FROM pg_stat_statements
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1) AND query LIKE $2`,
    [DATABASE, like],
  );
  return rows[0].calls;
}

/** Two fresh instances on one database; the first of them does not live to see the end. */
async function stageOf(backing: Backing, database: pg.Client, progress: Progress, title: string) {
  const servers: Server[] = [
    await startService(backing, DATABASE, [], undefined, ENV),
    await startService(backing, DATABASE, [], undefined, ENV),
  ];
  const stage: Stage = {
    urls: servers.map(({ port }) => `http://127.0.0.1:${port}`),
    database,
    kill: async () => {
      process.kill(servers[0]!.pid, 'SIGKILL');
      await servers[0]!.stop();
    },
    usage: async () => ({
      cpuMs: servers.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0),
      queries: await queriesOf(backing),
    }),
    phase: (label) => progress.step(`${title}: ${label}`),
  };
  return { stage, stop: () => Promise.all(servers.map((server) => server.stop())) };
}

async function playAll(backing: Backing, options: ReturnType<typeof parseOptions>, progress: Progress) {
  const database = new pg.Client({ connectionString: backing.urlOf(DATABASE) });
  await database.connect();
  const results: Result[] = [];
  for (const run of options.runs) {
    const { stage, stop } = await stageOf(backing, database, progress, `${run.seats} seats, ${run.by}`);
    const admitPerSecond = run.seats >= 500 ? 50 : 10;
    const figures = await playSale(stage, {
      ...run,
      clients: options.clients,
      admitPerSecond,
      maxActive: admitPerSecond * 2,
      waitSeconds: options.waitSeconds,
      joinSeconds: Math.max(5, options.clients / 200),
    });
    results.push({ ...run, clients: options.clients, figures });
    progress.result(`${figures.sold} sold; ${figures.violations.join('; ') || 'no violations'}`);
    await stop();
  }
  const map = await playMap(backing, database, options.readers, progress);
  await database.end();
  return { results, map };
}

async function playMap(
  backing: Backing,
  database: pg.Client,
  readers: number,
  progress: Progress,
): Promise<MapFigures> {
  progress.step(`${readers} readers of a seat map`);
  const seats = 2_000;
  const group = 'bench-map';
  const server = await startService(backing, DATABASE, [], undefined, ENV);
  try {
    await addSeats(database, group, seats);
    const queries = () => queriesOf(backing, '%sku_group = $4%');
    return await readMap(`http://127.0.0.1:${server.port}`, group, queries, { readers, seats, changes: 5 });
  } finally {
    await server.stop();
  }
}

const fixed = (value: number, digits = 0) => value.toFixed(digits);

function report(results: readonly Result[], map: MapFigures): string {
  const rows = results.map(({ clients, seats, by, figures }) => [
    `${clients} by ${by}, ${seats} seats`,
    fixed(figures.joinPerSecond),
    fixed(figures.waiting.requestsPerSecond),
    fixed(figures.waiting.queriesPerSecond, 1),
    fixed(figures.waiting.cores, 2),
    fixed(figures.admitPerSecond, 1),
    `${fixed(figures.toSeat.p50)} / ${fixed(figures.toSeat.p99)}`,
    String(figures.sold),
    fixed(figures.soldOutSeconds, 1),
    fixed(figures.drawCorrelation, 3),
    String(figures.violations.length),
  ]);
  const head = [
    'who waits, for what',
    'joins/s',
    'requests/s while waiting',
    'queries/s while waiting',
    'cores while waiting',
    'called/s',
    'called to seat, ms p50 / p99',
    'sold',
    's until the last knows',
    'draw against arrival',
    'violations',
  ];
  const mapRows = [
    [
      `${map.readers} readers of ${map.seats} seats, half of them by stream`,
      fixed(map.requestsPerSecond),
      fixed(map.queriesPerSecond, 2),
      `${fixed(map.p50, 1)} / ${fixed(map.p99, 1)}`,
      fixed(map.visibleMs),
    ],
  ];
  const mapHead = ['seat map', 'requests/s', 'map queries/s', 'ms p50 / p99', 'ms until all see a change'];
  return [
    '# A flash sale\n',
    `Two instances and the clients share ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}.`,
    'One instance is killed when half of the seats are sold. While waiting nobody is called, so that waiting is measured alone.\n',
    table(head, rows),
    '\n## Readers of a seat map, on one instance\n',
    table(mapHead, mapRows),
  ].join('\n');
}

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  const progress = new Progress(options.runs.length * 3 + 1);
  const backing = await startBacking();
  try {
    await backing.admin.query(`ALTER SYSTEM SET pg_stat_statements.track = 'top'`);
    await backing.admin.query('SELECT pg_reload_conf()');
    const { results, map } = await playAll(backing, options, progress);
    const text = report(results, map);
    const labels = results.map(({ seats, by }) => `${seats} seats, ${by}`);
    const chart = plot({
      title: `${options.clients} wait for seats`,
      xTitle: 'sale',
      labels,
      series: [
        { name: 'queries/s while waiting', values: results.map(({ figures }) => figures.waiting.queriesPerSecond) },
        { name: '% of a core while waiting', values: results.map(({ figures }) => figures.waiting.cores * 100) },
        { name: 'called/s', values: results.map(({ figures }) => figures.admitPerSecond) },
      ],
    });
    mkdirSync(RESULTS, { recursive: true });
    writeFileSync(path.join(RESULTS, `${options.name}.md`), text);
    writeFileSync(path.join(RESULTS, `${options.name}.svg`), chart);
    process.stdout.write(`${text}\n`);
    const failures = results.flatMap(({ figures }) => figures.violations);
    for (const failure of failures) process.stderr.write(`VIOLATION ${failure}\n`);
    return failures.length > 0 ? 1 : 0;
  } finally {
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
