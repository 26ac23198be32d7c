import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Following, Front, Person } from './sale-client.js';
import { ApiClient } from '../test/setup/api-client.js';
import { KEYS } from '../test/setup/app-process.js';

export interface PlayOptions {
  readonly clients: number;
  readonly seats: number;
  readonly by: Following;
  readonly admitPerSecond: number;
  readonly maxActive: number;
  /** How long everybody waits, with nobody called, so that waiting can be measured alone. */
  readonly waitSeconds: number;
  /** How long everybody has to join before the start; what is left of it is waited for. */
  readonly joinSeconds: number;
}

/** What a sale is played on. */
export interface Stage {
  readonly urls: readonly string[];
  readonly database: Pick<pg.Client, 'query'>;
  /** Ends the first instance without warning. */
  kill(): Promise<void>;
  /** Of all instances so far. */
  usage(): Promise<{ readonly cpuMs: number; readonly queries: number }>;
  phase(label: string): void;
}

export interface SaleFigures {
  readonly joinPerSecond: number;
  readonly waiting: { readonly requestsPerSecond: number; readonly queriesPerSecond: number; readonly cores: number };
  readonly admitPerSecond: number;
  readonly toSeat: { readonly p50: number; readonly p99: number };
  readonly sold: number;
  /** From the last sale until the last one knew. */
  readonly soldOutSeconds: number;
  /** Rank correlation of arrival and place: 0 for a fair draw. */
  readonly drawCorrelation: number;
  readonly violations: readonly string[];
}

const SALE = 'bench-sale';

export async function playSale(stage: Stage, options: PlayOptions): Promise<SaleFigures> {
  const admin = () => new ApiClient(front.urls.at(-1)!, KEYS);
  const front = new Front(stage.urls);
  const group = `${SALE}:${options.seats}:${options.by}`;
  const saleId = group.replaceAll(':', '-');
  await addSeats(stage.database, group, options.seats);
  stage.phase(`${options.clients} join`);
  const startsAt = Date.now() + options.joinSeconds * 1_000;
  await setUp(admin(), saleId, group, new Date(startsAt).toISOString(), options);
  const people = Array.from({ length: options.clients }, (_, index) => new Person(front, saleId, group, index));
  const joinedFrom = performance.now();
  await inTurns(people, 400, (person) => person.join());
  const joinPerSecond = (options.clients * 1_000) / (performance.now() - joinedFrom);
  await sleep(Math.max(0, startsAt - Date.now()));
  await verb(admin(), saleId, 'pause');
  const followed = Promise.all(people.map((person) => person.follow(options.by)));
  stage.phase(`${options.clients} wait`);
  await sleep(Math.min(10, options.waitSeconds) * 1_000); // until all follow and the draw is known everywhere
  const waiting = await measureWaiting(stage, front, options.waitSeconds);
  await verb(admin(), saleId, 'resume');
  stage.phase(`${options.seats} seats are sold, one instance is killed in the middle`);
  const seated = () => people.filter(({ orderId }) => orderId !== undefined);
  while (seated().length < options.seats / 2) await sleep(50);
  front.leave(stage.urls[0]!);
  await stage.kill();
  await followed;
  front.close();
  return {
    joinPerSecond,
    waiting,
    ...(await judge(stage, saleId, people, options)),
    violations: [...(await findings(stage, admin(), saleId, people, options))],
  };
}

export async function addSeats(database: Stage['database'], group: string, seats: number): Promise<void> {
  await database.query(
    `WITH added AS (
       INSERT INTO skus (sku, name, unit_amount, currency, sku_group, seat_row, seat_number, on_hand)
       SELECT $1 || ':' || n, 'Seat ' || n, 1000, 'EUR', $1, 'R' || n / 50, n % 50, 1 FROM generate_series(1, $2::int) AS n
       RETURNING sku
     )
     INSERT INTO stock_movements (sku, kind, delta, on_hand_after, reason, actor)
     SELECT sku, 'INITIAL', 1, 1, 'first stock', 'bench' FROM added`,
    [group, seats],
  );
}

async function setUp(admin: ApiClient, id: string, group: string, startsAt: string, terms: PlayOptions): Promise<void> {
  const { admitPerSecond, maxActive } = terms;
  const body = { group, startsAt, admitPerSecond, maxActive, ticketTtlSeconds: 600 };
  const { status, body: answer } = await admin.put(`/v1/sales/${id}`, body);
  if (status !== 201) throw new Error(`no sale: ${status} ${JSON.stringify(answer)}`);
}

async function verb(admin: ApiClient, id: string, name: 'pause' | 'resume'): Promise<void> {
  const { status } = await admin.post(`/v1/sales/${id}/${name}`, {}, { key: 'admin' });
  if (status !== 200) throw new Error(`${name}: ${status}`);
}

async function measureWaiting(stage: Stage, front: Front, seconds: number): Promise<SaleFigures['waiting']> {
  const before = { ...(await stage.usage()), requests: front.requests, at: performance.now() };
  await sleep(seconds * 1_000);
  const after = await stage.usage();
  const elapsed = (performance.now() - before.at) / 1_000;
  return {
    requestsPerSecond: (front.requests - before.requests) / elapsed,
    queriesPerSecond: (after.queries - before.queries) / elapsed,
    cores: (after.cpuMs - before.cpuMs) / 1_000 / elapsed,
  };
}

async function judge(stage: Stage, saleId: string, people: readonly Person[], { clients }: PlayOptions) {
  const seated = people.filter(({ orderId }) => orderId !== undefined);
  const waits = seated.map(({ calledAt, seatedAt }) => seatedAt! - calledAt!).sort((a, b) => a - b);
  const lastSale = Math.max(...seated.map(({ seatedAt }) => seatedAt!));
  const lastToKnow = Math.max(lastSale, ...people.map(({ soldOutAt }) => soldOutAt ?? 0));
  const { rows } = await stage.database.query(
    `SELECT (count(*) - 1) / greatest(extract(epoch FROM max(admitted_at) - min(admitted_at)), 1)::float8 AS rate,
       (SELECT corr(arrival, place) FROM sale_tickets WHERE sale_id = $1) AS correlation
     FROM sale_tickets WHERE sale_id = $1 AND admitted_at IS NOT NULL`,
    [saleId],
  );
  const quantile = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  return {
    admitPerSecond: Number(rows[0].rate),
    toSeat: { p50: quantile(0.5), p99: quantile(0.99) },
    sold: seated.length,
    soldOutSeconds: (lastToKnow - lastSale) / 1_000,
    drawCorrelation: clients > 1 ? Number(rows[0].correlation) : 0,
  };
}

/** What must not be, as sentences; none where all is well. */
async function findings(
  stage: Stage,
  admin: ApiClient,
  saleId: string,
  people: readonly Person[],
  { seats }: PlayOptions,
): Promise<string[]> {
  const found: string[] = [];
  const failures = people.flatMap(({ failure }) => failure ?? []);
  if (failures.length > 0) found.push(`${failures.length} people were refused, such as ${failures[0]}`);
  const orders = new Set(people.flatMap(({ orderId }) => orderId ?? []));
  if (orders.size !== seats) found.push(`${orders.size} sold of ${seats}`);
  const unaware = people.filter(({ orderId, soldOutAt }) => orderId === undefined && soldOutAt === undefined).length;
  if (unaware > 0) found.push(`${unaware} people have neither a seat nor an answer`);
  const { rows } = await stage.database.query(
    `SELECT count(*)::int AS count FROM (
       SELECT admitted_at, max(admitted_at) OVER (ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
       FROM sale_tickets WHERE sale_id = $1 AND admitted_at IS NOT NULL
     ) AS called WHERE admitted_at < before`,
    [saleId],
  );
  if (rows[0].count > 0) found.push(`${rows[0].count} were called before somebody who stood ahead of them`);
  const { body } = await admin.get('/v1/invariants', { key: 'admin' });
  for (const check of body.checks ?? []) if (!check.ok) found.push(`invariant ${check.name} does not hold`);
  return found;
}

async function inTurns<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
