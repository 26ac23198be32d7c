import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { KEYS } from '../test/setup/app-process.js';
import { startBusyLoops } from './busy.js';
import { Load, plan } from './load.js';
import { type Backing, cpuMsOf, type Server, startBacking } from './processes.js';
import { describeRun, RESULTS, table } from './report.js';
import { medianOf, ratioOf, spreadText, takeTurns } from './rounds.js';
import { putSku, SPREAD_SKUS, startOurs, startPlain, type System } from './systems.js';

const ORDERS = 500;
const SEATS = 200;
const GROUP = 'hall';
const WANTED = 0.6;

const KINDS = ['order', 'quote', 'seat map'] as const;
type Kind = (typeof KINDS)[number];

interface Reader {
  readonly kind: Kind;
  readonly name: 'bare' | 'ours';
  readonly server: Server;
  readonly requests: readonly string[];
}

interface Reading {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** ms per answer. */
  readonly node: number;
  readonly postgres: number;
  readonly failed: number;
}

function get(target: string, headers: Readonly<Record<string, string>> = {}): string {
  return request('GET', target, { 'x-api-key': KEYS.STOREFRONT_API_KEY, ...headers });
}

function request(method: string, target: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function quotes(): string[] {
  return SPREAD_SKUS.map((sku, index) => {
    const other = SPREAD_SKUS[(index + 37) % SPREAD_SKUS.length]!;
    const body = JSON.stringify({ currency: 'EUR', lines: [sku, other].map((one) => ({ sku: one, quantity: 1 })) });
    const headers = { 'x-api-key': KEYS.STOREFRONT_API_KEY, 'content-type': 'application/json' };
    return request('POST', '/v1/checkouts/quote', { ...headers, 'content-length': String(body.length) }, body);
  });
}

/** Bought over HTTP: the request of each order, as its customer makes it. */
async function buy({ server }: System): Promise<string[]> {
  const base = `http://127.0.0.1:${server!.port}`;
  const orders: string[] = [];
  for (let i = 0; i < ORDERS; i += 1) {
    const lines = [0, 37].map((stride) => ({ sku: SPREAD_SKUS[(i + stride) % SPREAD_SKUS.length], quantity: 1 }));
    const response = await fetch(`${base}/v1/checkouts`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': KEYS.STOREFRONT_API_KEY,
        'idempotency-key': `read-${i}`,
      },
      body: JSON.stringify({ customer: { id: `c${i}` }, currency: 'EUR', lines, payment: { method: 'pm_card_visa' } }),
    });
    const { id, accessToken } = (await response.json()) as { id: string; accessToken?: string };
    orders.push(get(`/v1/orders/${id}`, accessToken === undefined ? {} : { 'x-access-token': accessToken }));
  }
  return orders;
}

async function startBare(backing: Backing): Promise<{ writer: System; reader: System }> {
  const writer = await startPlain(backing, 'bare', 'bare.mjs');
  const client = new pg.Client({ connectionString: writer.url });
  await client.connect();
  await client.query(
    `CREATE TABLE seats AS
       SELECT 'hall:' || n AS sku, 'Seat ' || n AS name, 1000 AS unit_amount, 'EUR' AS currency, '${GROUP}' AS seat_group,
              1 AS on_hand, 0 AS reserved FROM generate_series(1, ${SEATS}) AS n`,
  );
  await client.query('CREATE INDEX ON seats (seat_group, sku)');
  await client.end();
  return { writer, reader: await startPlain(backing, 'bare_reads', 'reads.mjs', { DATABASE_URL: writer.url }) };
}

async function startReaders(backing: Backing, systems: System[]): Promise<Reader[]> {
  const bare = await startBare(backing);
  systems.push(bare.writer, bare.reader);
  const ours = await startOurs(backing, 'ours', []);
  systems.push(ours);
  const base = `http://127.0.0.1:${ours.server!.port}`;
  for (let n = 1; n <= SEATS; n += 1) await putSku(base, `${GROUP}:${n}`, 1, GROUP);
  const map = [get(`/v1/skus?group=${GROUP}&limit=${SEATS}`)];
  const readersOf = (name: Reader['name'], server: Server, orders: readonly string[]): Reader[] => [
    { kind: 'order', name, server, requests: orders },
    { kind: 'quote', name, server, requests: quotes() },
    { kind: 'seat map', name, server, requests: map },
  ];
  return [
    ...readersOf('bare', bare.reader.server!, await buy(bare.writer)),
    ...readersOf('ours', ours.server!, await buy(ours)),
  ];
}

async function read(backing: Backing, reader: Reader, connections: number, seconds: number): Promise<Reading> {
  const { server, requests } = reader;
  const load = Load.start(plan(server.port, { connections, requests }));
  await load.running();
  await sleep(500);
  const before = { node: cpuMsOf(server.pid), postgres: cpuMsOf(backing.postgresPid, true) };
  load.begin();
  await sleep(seconds * 1_000);
  const { statuses, seconds: elapsed, p50, p99 } = await load.end();
  const done = statuses['200'] ?? 0;
  const per = (ms: number) => ms / Math.max(1, done);
  const node = per(cpuMsOf(server.pid) - before.node);
  const postgres = per(cpuMsOf(backing.postgresPid, true) - before.postgres);
  await load.stop();
  const failed = Object.values(statuses).reduce((sum, count) => sum + count, 0) - done;
  return { perSecond: done / elapsed, p50, p99, node, postgres, failed };
}

function rowOf({ kind, name }: Reader, rounds: readonly Reading[], bare: readonly Reading[]): string[] {
  const of = (pick: (reading: Reading) => number, digits: number) => medianOf(rounds.map(pick)).toFixed(digits);
  const speed = ({ perSecond }: Reading) => perSecond;
  const ratio = ratioOf(rounds.map(speed), bare.map(speed));
  return [
    ...[kind, name, of(speed, 0), of(({ p50 }) => p50, 2), of(({ p99 }) => p99, 2)],
    ...[of(({ node }) => node, 3), of(({ postgres }) => postgres, 3)],
    name === 'ours' ? `${spreadText(ratio)}${ratio.median >= WANTED ? '' : ' **missed**'}` : '',
    String(rounds.reduce((sum, { failed }) => sum + failed, 0)),
  ];
}

const HEAD = ['read', 'system', 'per second', 'p50 ms', 'p99 ms', 'Node ms', 'PostgreSQL ms', '× bare', 'failed'];

/** `npm run bench:reads`: an order, a quote and a seat map, against a bare Fastify in front of one prepared SELECT. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '64' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
      busy: { type: 'boolean', default: false },
    },
  });
  const backing = await startBacking();
  const stopBusyLoops = startBusyLoops(values.busy ? 2 : 0);
  const systems: System[] = [];
  try {
    const options = { seconds: Number(values.seconds), warmupSeconds: 0.5, rounds: Number(values.rounds) };
    const run = await describeRun(backing, { ...options, busy: values.busy ? 2 : 0 });
    const readers = await startReaders(backing, systems);
    const measure = async (reader: Reader, round: number): Promise<Reading> => {
      const reading = await read(backing, reader, Number(values.connections), options.seconds);
      process.stdout.write(`round ${round}: ${reader.kind}, ${reader.name} ${reading.perSecond.toFixed(0)}/s\n`);
      return reading;
    };
    await takeTurns(readers, 1, measure); // warms up
    const results = await takeTurns(readers, options.rounds, measure);
    const bareOf = (kind: Kind) => results[readers.findIndex((one) => one.kind === kind && one.name === 'bare')]!;
    const inPairs = KINDS.flatMap((kind) => readers.filter((reader) => reader.kind === kind));
    const rows = inPairs.map((reader) => rowOf(reader, results[readers.indexOf(reader)]!, bareOf(reader.kind)));
    const notes = [...run.slice(0, 4), `${values.connections} connections; a seat map has ${SEATS} seats`];
    const text = `${notes.map((note) => `- ${note}`).join('\n')}\n\nWanted: ${WANTED} × bare.\n\n${table(HEAD, rows)}\n`;
    process.stdout.write(`\n${text}`);
    writeFileSync(path.join(RESULTS, 'reads.md'), `# Reading\n\n\`npm run bench:reads\`\n\n${text}`);
  } finally {
    stopBusyLoops();
    for (const system of systems) await system.stop();
    await backing.stop();
  }
}

await main();
process.exit(0);
