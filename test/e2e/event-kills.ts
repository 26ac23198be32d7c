import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../chaos/random.js';
import { type Receiver, startReceiver } from '../integration/events/receiver.js';
import { type AppProcess, prepareAppProcess, type PreparedProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { type Arrival, audit, type Audit } from './event-audit.js';
import { type ShopFront, Shoppers, stockShelves } from './event-shoppers.js';

const SHOPPERS = 6;
/** How many are told at least: where a machine is slow the processes do not live long. */
const STORIES = 40;
/** How many of the next processes are being loaded while one runs. */
const AHEAD = 2;
const SETTINGS = {
  LOG_LEVEL: 'error',
  SAGA_LEASE_MS: '1000',
  SAGA_BACKOFF_FACTOR: '0.2',
  // Three timeouts would reject an order that ought to be confirmed: nothing here is to time out.
  GATEWAY_TIMEOUT_MS: '20000',
  DATABASE_POOL_SIZE: '6',
  WEBHOOK_RETRY_BASE_MS: '50',
};

/** Guards against a point that is never reached. */
const REACHED_WITHIN_MS = 120_000;

/** In place of a fault point: at any moment. */
export const AT_RANDOM = 'random';

export interface KillReport extends Audit {
  readonly kills: number;
  readonly stories: number;
  readonly startMs: number;
  /** From the start of the last process to the last event. */
  readonly drainedMs: number;
  readonly violations: Record<string, unknown[]>;
}

/** One process after the other on one database, all but the last of them killed under load. */
export class KilledShop {
  private readonly front: ShopFront = { api: undefined };
  private readonly arrivals: Arrival[] = [];
  private readonly prepared: PreparedProcess[] = [];
  private readonly toPrepare: (string | undefined)[];
  private process: AppProcess | undefined;
  private shoppers: Shoppers | undefined;
  private startMs = 0;

  private constructor(
    private readonly settings: Readonly<Record<string, string>>,
    private readonly kills: readonly string[],
    private readonly random: Random,
    private readonly database: TestDatabase,
    private readonly receiver: Receiver,
  ) {
    this.toPrepare = [...kills, undefined];
    receiver.respond = (message, response) => {
      // Not always at once, and not always well: some have to be tried again.
      const isAccepted = !random.chance(0.03);
      this.arrivals.push({ message, at: Date.now(), isAccepted });
      setTimeout(() => response.writeHead(isAccepted ? 204 : 503).end(), random.between(0, 25));
    };
  }

  static async run(
    settings: Readonly<Record<string, string>>,
    kills: readonly string[],
    random: Random,
  ): Promise<KillReport> {
    const shop = new KilledShop(settings, kills, random, await createTestDatabase(), await startReceiver());
    try {
      return await shop.killAll();
    } finally {
      shop.shoppers?.abandon();
      for (const process of shop.prepared) process.discard();
      await shop.process?.stop('SIGKILL');
      await shop.receiver.close();
      await shop.database.drop();
    }
  }

  private async killAll(): Promise<KillReport> {
    const secret = await this.open();
    this.shoppers = new Shoppers(this.front, this.random.fork('shoppers'), SHOPPERS);
    for (const kill of this.kills) {
      await this.kill(kill);
      await this.start();
    }
    const startedAt = performance.now();
    const told = await this.shoppers.finished(STORIES);
    await this.drained();
    return {
      ...(await audit(this.database, this.arrivals, secret, told)),
      kills: this.kills.length,
      stories: told.length,
      startMs: Math.round(this.startMs),
      drainedMs: Math.round(performance.now() - startedAt),
      violations: await violations(this.database),
    };
  }

  private async open(): Promise<string> {
    const { api } = await this.start();
    await stockShelves(api);
    const created = await api.post('/v1/webhook-endpoints', { url: this.receiver.url }, { key: 'admin' });
    return created.body.secret as string;
  }

  private async start(): Promise<AppProcess> {
    const startedAt = performance.now();
    while (this.prepared.length <= AHEAD && this.toPrepare.length > 0)
      this.prepared.push(this.prepare(this.toPrepare.shift()));
    this.process = await this.prepared.shift()!.start();
    this.startMs += performance.now() - startedAt;
    this.front.api = this.process.api;
    return this.process;
  }

  private prepare(kill: string | undefined): PreparedProcess {
    return prepareAppProcess({
      ...SETTINGS,
      ...this.settings,
      DATABASE_URL: this.database.url,
      WEBHOOK_ALLOWED_HOSTS: this.receiver.host,
      ...(kill !== undefined && kill !== AT_RANDOM && { FAULT_POINT: `${kill}=kill@SIGUSR2` }),
    });
  }

  private async kill(kill: string): Promise<void> {
    const process = this.process!;
    await delay(this.random.between(0, 400));
    if (kill === AT_RANDOM) {
      await process.stop('SIGKILL');
    } else {
      process.signal('SIGUSR2');
      const isOver = await Promise.race([
        process.exited().then(() => true),
        delay(REACHED_WITHIN_MS, false, { ref: false }),
      ]);
      if (!isOver) throw new Error(`${kill} was never reached:\n${process.output()}`);
      if (!process.output().includes(`reached: ${kill}=kill`))
        throw new Error(`${kill}: ended by something else:\n${process.output()}`);
    }
    this.front.api = undefined;
  }

  /** By what was delivered rather than by the relay's own marks, which are part of what is being tested. */
  private async drained(): Promise<void> {
    const look = async () => {
      const [row] = await this.database.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM outbox WHERE NOT EXISTS (
           SELECT 1 FROM webhook_deliveries WHERE event_id = outbox.id AND state = 'DELIVERED')`,
      );
      return row?.open === 0;
    };
    await eventually('every event is delivered', look, { withinMs: 300_000 });
  }
}
