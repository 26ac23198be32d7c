import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../chaos/random.js';
import { type AppProcess, prepareAppProcess, type PreparedProcess } from '../setup/app-process.js';
import { violations } from '../setup/invariants.js';
import { startNats } from '../setup/nats-server.js';
import { eventually } from '../setup/eventually.js';
import { basket, shelve } from '../setup/shop.js';
import { openDatabase, type OpenTestDatabase } from '../setup/test-database.js';
import { storedEvents, subjectsOutOfOrder } from './event-order.js';
import { StreamClient } from './stream-client.js';

export interface KillOptions {
  readonly databaseUrl: string;
  readonly commands: number;
  readonly instances: number;
  /** A random instance is killed this often, until everything is acknowledged. */
  readonly killEveryMs: number;
  /** One process is also killed at each of these, among them between an outcome and its acknowledgement. */
  readonly faultPoints: readonly string[];
  readonly random: Random;
  readonly log: (line: string) => void;
}

export interface KillReport {
  readonly seconds: number;
  readonly kills: number;
  /** Orders by state. */
  readonly orders: Readonly<Record<string, number>>;
  /** Commands that have not exactly one order, and orders that were not charged exactly once. */
  readonly faults: readonly string[];
  readonly deadLetters: Readonly<Record<string, number>>;
  readonly events: number;
  readonly eventsTwice: number;
  readonly unacknowledged: number;
  readonly violations: Record<string, unknown[]>;
}

const SETTINGS = {
  LOG_LEVEL: 'error',
  SAGA_LEASE_MS: '2000',
  STREAM_ACK_WAIT_MS: '4000',
  STREAM_MAX_IN_FLIGHT: '16',
  DATABASE_POOL_SIZE: '6',
  // Three timeouts would reject an order that ought to be confirmed: nothing here is to time out.
  GATEWAY_TIMEOUT_MS: '20000',
};
/** In place of a fault point: no process passes it so often. */
const UNREACHED = 'after-call:stream-publish#1000000';
const WITHIN_MS = 1_200_000;
const SKUS = 10;
const INVALID = 5;
const SENDERS = 20;

/** Every command is sent twice, to several instances that are killed one after the other. */
export async function runKilled(options: KillOptions): Promise<KillReport> {
  const nats = await startNats();
  const database = openDatabase(options.databaseUrl);
  const fleet = new Fleet({ ...SETTINGS, DATABASE_URL: options.databaseUrl, STREAM_URL: nats.url }, options);
  const client = await StreamClient.open(nats.url);
  try {
    await fleet.start();
    const skus = Array.from({ length: SKUS }, (_, index) => `stream-${index}`);
    for (const sku of skus) await shelve(fleet.api, sku, options.commands);
    await client.shortenDuplicateWindow();
    const startedAt = performance.now();
    const killing = fleet.killUntilStopped();
    await sendTwice(client, options, skus);
    await client.everythingIsAcknowledged(WITHIN_MS);
    await fleet.stopKilling(killing);
    await eventually('every event is published', () => isPublished(database), { withinMs: WITHIN_MS });
    const seconds = (performance.now() - startedAt) / 1_000;
    return { seconds, kills: fleet.kills, ...(await audit(database, client, options)) };
  } finally {
    await fleet.end();
    await client.close();
    await database.close();
    await nats.remove();
  }
}

async function sendTwice(client: StreamClient, { commands, random, log }: KillOptions, skus: string[]): Promise<void> {
  const numbers = Array.from({ length: commands }, (_, number) => number);
  const queue = random.shuffled([...numbers, ...numbers]);
  const send = async () => {
    for (let number = queue.pop(); number !== undefined; number = queue.pop())
      await client.send(`command-${number}`, basket(skus[number % SKUS]!, { metadata: { number } }));
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  for (let number = 0; number < INVALID; number += 1) await client.send(`invalid-${number}`, { currency: 'EUR' });
  log(`sent ${2 * commands} commands and ${INVALID} that nobody can process`);
}

async function isPublished(database: OpenTestDatabase): Promise<boolean> {
  const [row] = await database.query<{ open: boolean }>(
    `SELECT EXISTS (SELECT FROM outbox_queue) OR EXISTS (SELECT FROM stream_queue) AS open`,
  );
  return row?.open === false;
}

async function audit(database: OpenTestDatabase, client: StreamClient, { commands }: KillOptions) {
  const counts = async (sql: string) => {
    const rows = await database.query<{ name: string; count: number }>(sql);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };
  const wrong = await database.query<{ number: number; orders: number; charges: number }>(
    `SELECT number, count(DISTINCT orders.id)::int AS orders, count(charges.id)::int AS charges
     FROM generate_series(0, $1 - 1) AS number
     LEFT JOIN orders ON (orders.metadata->>'number')::int = number
     LEFT JOIN sandbox.charges ON charges.order_id = orders.id::text AND charges.state = 'CAPTURED'
     GROUP BY number HAVING count(DISTINCT orders.id) <> 1 OR count(charges.id) <> 1`,
    [commands],
  );
  const received = await client.events();
  const stored = await storedEvents(database);
  const ids = new Set(received.map(({ event }) => event.id));
  return {
    orders: await counts(`SELECT state AS name, count(*)::int AS count FROM orders GROUP BY 1`),
    faults: [
      ...wrong.map(({ number, orders, charges }) => `command ${number}: ${orders} orders, ${charges} charges`),
      ...subjectsOutOfOrder(received, stored),
    ],
    deadLetters: await counts(`SELECT code AS name, count(*)::int AS count FROM dead_letters GROUP BY 1`),
    events: stored.length,
    eventsTwice: received.length - ids.size,
    unacknowledged: await client.unacknowledged(),
    violations: await violations(database),
  };
}

/** Instances that are replaced when they die: the next one is loaded while the others run. */
class Fleet {
  kills = 0;
  private readonly processes: AppProcess[] = [];
  private spare: PreparedProcess;
  private readonly stopping = new AbortController();
  private readonly faults: string[];

  constructor(
    private readonly env: Readonly<Record<string, string>>,
    private readonly options: KillOptions,
  ) {
    this.faults = [...options.faultPoints];
    this.spare = this.prepare();
  }

  get api() {
    return this.processes[0]!.api;
  }

  async start(): Promise<void> {
    const { instances } = this.options;
    this.processes.push(await this.next());
    while (this.processes.length < instances) this.processes.push(await this.next());
  }

  async killUntilStopped(): Promise<void> {
    const { killEveryMs, random, log } = this.options;
    const isOver = () => this.stopping.signal.aborted;
    while (!isOver()) {
      await delay(killEveryMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (isOver()) return;
      const victim = random.integer(0, this.processes.length - 1);
      await this.processes[victim]!.stop('SIGKILL');
      this.kills += 1;
      log(`killed instance ${victim + 1}`);
      this.processes[victim] = await this.next();
    }
  }

  async stopKilling(killing: Promise<void>): Promise<void> {
    this.stopping.abort();
    await killing;
  }

  async end(): Promise<void> {
    this.stopping.abort();
    this.spare.discard();
    await Promise.all(this.processes.map((process) => process.stop('SIGKILL')));
  }

  private async next(): Promise<AppProcess> {
    const next = this.spare;
    this.spare = this.prepare();
    const process = await next.start();
    process.signal('SIGUSR2'); // arms its fault point, which a start must not run into
    return process;
  }

  private prepare(): PreparedProcess {
    const fault = this.faults.shift();
    return prepareAppProcess({ ...this.env, FAULT_POINT: `${fault ?? UNREACHED}=kill@SIGUSR2` });
  }
}
