import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../chaos/random.js';
import { type AppProcess, prepareAppProcess, type PreparedProcess } from '../setup/app-process.js';
import { violations } from '../setup/invariants.js';
import { startNats } from '../setup/nats-server.js';
import { eventually } from '../setup/eventually.js';
import { basket, shelve } from '../setup/shop.js';
import { openDatabase, type OpenTestDatabase } from '../setup/test-database.js';
import { quantile } from '../setup/timing.js';
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
  /** Between two kills. */
  readonly gapsMs: { readonly median: number; readonly longest: number };
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
/** Loaded ahead, beyond the next one. */
const SPARES = 1;

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
    // A message is acknowledged as soon as its saga rests: one that waits for news of its payment goes on by itself.
    await eventually('every saga ends', () => sagasUnderWay(database), { until: hasNone, withinMs: WITHIN_MS });
    await eventually('every event is published', () => isPublished(database), { withinMs: WITHIN_MS });
    const seconds = (performance.now() - startedAt) / 1_000;
    const gapsMs = { median: quantile(fleet.gapsMs, 0.5), longest: Math.max(0, ...fleet.gapsMs) };
    return { seconds, kills: fleet.kills, gapsMs, ...(await audit(database, client, options)) };
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

/** By state; who is STUCK goes nowhere. */
async function sagasUnderWay(database: OpenTestDatabase): Promise<readonly { state: string; count: number }[]> {
  return database.query(
    `SELECT state, count(*)::int AS count FROM sagas WHERE state IN ('RUNNING', 'WAITING', 'COMPENSATING') GROUP BY state`,
  );
}

function hasNone(rows: readonly unknown[]): boolean {
  return rows.length === 0;
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

/** Instances that are replaced when they die, by our hand or at their fault point: the next ones are loaded while the others run. */
class Fleet {
  kills = 0;
  readonly gapsMs: number[] = [];
  private readonly slots: (AppProcess | undefined)[];
  private readonly spares: PreparedProcess[] = [];
  private readonly replacing = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private isEnding = false;
  private failure: Error | undefined;
  private readonly faults: string[];

  constructor(
    private readonly env: Readonly<Record<string, string>>,
    private readonly options: KillOptions,
  ) {
    this.faults = [...options.faultPoints];
    this.slots = Array.from({ length: options.instances }, () => undefined);
  }

  get api() {
    return this.slots.find((app) => app !== undefined)!.api;
  }

  async start(): Promise<void> {
    for (const slot of this.slots.keys()) await this.fill(slot);
  }

  /** On the clock: a kill waits for no replacement, only for somebody to be there. */
  async killUntilStopped(): Promise<void> {
    const { killEveryMs, random, log } = this.options;
    const { signal } = this.stopping;
    for (let due = performance.now() + killEveryMs, last = performance.now(); ; due += killEveryMs) {
      await delay(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const running = [...this.slots.entries()].filter(([, app]) => app !== undefined && !app.hasEnded());
      if (running.length === 0) continue;
      const [slot, app] = running[random.integer(0, running.length - 1)]!;
      app!.signal('SIGKILL');
      this.kills += 1;
      this.gapsMs.push(Math.round(performance.now() - last));
      last = performance.now();
      log(`killed instance ${slot + 1} of ${running.length} that ran`);
    }
  }

  async stopKilling(killing: Promise<void>): Promise<void> {
    this.stopping.abort();
    await killing;
    await Promise.all(this.replacing);
    if (this.failure !== undefined) throw this.failure;
  }

  async end(): Promise<void> {
    this.isEnding = true;
    this.stopping.abort();
    await Promise.all(this.replacing);
    for (const spare of this.spares) spare.discard();
    await Promise.all(this.slots.flatMap((app) => (app ? [app.stop('SIGKILL')] : [])));
  }

  private async fill(slot: number): Promise<void> {
    const app = await this.next();
    this.slots[slot] = app;
    void app.exited().then(() => {
      this.slots[slot] = undefined;
      if (this.isEnding) return;
      const replaced = this.fill(slot)
        .catch((error: unknown) => {
          this.failure = new Error('an instance could not be replaced', { cause: error });
        })
        .finally(() => this.replacing.delete(replaced));
      this.replacing.add(replaced);
    });
    app.signal('SIGUSR2'); // arms its fault point, which a start must not run into
  }

  private next(): Promise<AppProcess> {
    while (this.spares.length <= SPARES) this.spares.push(this.prepare());
    return this.spares.shift()!.start();
  }

  private prepare(): PreparedProcess {
    const fault = this.faults.shift();
    return prepareAppProcess({ ...this.env, FAULT_POINT: `${fault ?? UNREACHED}=kill@SIGUSR2` });
  }
}
