import { type AppProcess, prepareAppProcess, type PreparedProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { shelve } from '../setup/shop.js';
import { starvedMs } from '../setup/starvation.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../setup/test-database.js';
import { violations } from '../setup/invariants.js';
import {
  type Buyer,
  CROWD_SIZE,
  faultsOf,
  fillPurse,
  lastWord,
  plantFailures,
  sendCrowd,
  standing,
} from './crash-crowd.js';

export const LEASE_MS = 1_000;
/** Guard against a point that is never reached. */
const REACHED_WITHIN_MS = 120_000;
const MAX_CROWDS = 5;

/** restart: alone, and started again after the crash. takeover: a second instance was there all along. */
export type Variant = 'restart' | 'takeover';

export interface CrashPoint {
  readonly point: string;
  readonly refundsFail?: boolean;
}

export interface CrashReport {
  readonly point: string;
  readonly variant: Variant;
  readonly takenOverMs: number;
  readonly standing: string;
  readonly faults: readonly string[];
}

/** Crashes one process after the other on one database; each next one is also the restart after the last crash. */
export class CrashChain {
  private survivor: AppProcess | undefined;
  private victim: AppProcess | undefined;
  /** The next process, loaded while the one before is at work. */
  private prepared: PreparedProcess | undefined;
  readonly reports: CrashReport[] = [];

  private constructor(
    private readonly variant: Variant,
    private readonly prefix: string,
    private readonly database: TestDatabase,
  ) {}

  static async run(variant: Variant, points: readonly CrashPoint[]): Promise<readonly CrashReport[]> {
    const chain = new CrashChain(variant, `crash-${variant}`, await createTestDatabase());
    try {
      await plantFailures(chain.database);
      await chain.crashAll(points);
      return chain.reports;
    } finally {
      chain.prepared?.discard();
      await chain.victim?.stop('SIGKILL');
      await chain.survivor?.stop('SIGKILL');
      await chain.database.drop();
    }
  }

  private async crashAll(points: readonly CrashPoint[]): Promise<void> {
    if (this.variant === 'takeover') this.survivor = await this.prepare().start();
    let victim = (this.victim = await this.prepare(points[0]).start());
    await this.stock(victim);
    for (const [index, crash] of points.entries()) {
      const next = (this.prepared = this.prepare(points[index + 1]));
      const buyers = await this.crash(victim, crash);
      const stood = await standing(this.database, buyers);
      const [takenOverMs, started] = await Promise.all([this.takenOver(), next.start()]);
      victim = this.victim = started;
      const witness = this.survivor ?? victim;
      if (crash.refundsFail) await witness.api.put('/v1/sandbox/faults', {});
      const outcomes = await Promise.all(buyers.map((buyer) => lastWord(witness.api, buyer)));
      const faults = await Promise.all(
        buyers.map((buyer, number) => faultsOf(this.database, buyer, outcomes[number]!)),
      );
      this.report({
        point: crash.point,
        variant: this.variant,
        takenOverMs,
        standing: stood,
        faults: faults.flat(),
      });
    }
    const broken = await violations(this.database);
    if (Object.keys(broken).length > 0) throw new Error(`invariants: ${JSON.stringify(broken)}`);
  }

  private report(report: CrashReport): void {
    this.reports.push(report);
    const { variant, point, takenOverMs, standing: stood, faults } = report;
    process.stdout.write(
      `${variant.padEnd(8)} ${point.padEnd(52)} ${String(takenOverMs).padStart(5)} ms  ${stood} ${faults.join('; ')}\n`,
    );
  }

  private async crash(victim: AppProcess, { point, refundsFail }: CrashPoint): Promise<Buyer[]> {
    if (refundsFail) await victim.api.put('/v1/sandbox/faults', { refundErrorRate: 1 });
    victim.signal('SIGUSR2');
    await eventually(`${point} armed`, () => victim.output().includes('armed'), { everyMs: 5 });
    // Open connections first: the crowd then arrives together, and shares its batches.
    await Promise.all(Array.from({ length: CROWD_SIZE }, () => victim.api.get('/health/live')));
    const buyers = await this.sendUntilDead(victim, point);
    if (!victim.output().includes(`reached: ${point}=kill`)) throw new Error(`${point}: ended by something else`);
    return buyers;
  }

  /** On a busy machine the survivor may take a saga from the victim before that has come to its point: others follow. */
  private async sendUntilDead(victim: AppProcess, point: string): Promise<Buyer[]> {
    const buyers: Buyer[] = [];
    const exited = victim.exited();
    for (let crowd = 1; crowd <= MAX_CROWDS; crowd += 1) {
      const newcomers = sendCrowd(victim, this.prefix, this.database, await fillPurse(victim.api));
      buyers.push(...newcomers);
      const served = Promise.all(newcomers.map(({ first }) => first)).then(() => this.atRest(newcomers, victim));
      await Promise.race([exited, served]);
      if (victim.hasEnded()) return buyers;
    }
    throw new Error(`${point} was never reached:\n${victim.output()}`);
  }

  private async atRest(buyers: readonly Buyer[], victim: AppProcess): Promise<void> {
    const isOver = async () => {
      const open = await this.database.query(
        `SELECT FROM sagas WHERE data->'metadata'->>'tag' = ANY($1) AND state IN ('RUNNING', 'COMPENSATING')`,
        [buyers.map(({ key }) => key)],
      );
      return open.length === 0 || victim.hasEnded();
    };
    await eventually('the crowd at rest', isOver, { withinMs: REACHED_WITHIN_MS });
  }

  /** How long until no saga is in the hands of the dead any more, as far as the survivor was let run. */
  private async takenOver(): Promise<number> {
    const starved = () => (this.survivor ? starvedMs(this.survivor.pid) : 0);
    const [killedAt, starvedBefore] = [performance.now(), starved()];
    const open = await this.database.query<{ id: string; epoch: number }>(
      `SELECT id, epoch FROM sagas WHERE state IN ('RUNNING', 'COMPENSATING')`,
    );
    const taken = async () => {
      const [row] = await this.database.query<{ left: number }>(
        `SELECT count(*)::int AS left FROM sagas JOIN unnest($1::uuid[], $2::int[]) AS dead (id, epoch) USING (id, epoch)
         WHERE state IN ('RUNNING', 'COMPENSATING')`,
        [open.map(({ id }) => id), open.map(({ epoch }) => epoch)],
      );
      return row?.left === 0;
    };
    await eventually('takeover', taken, { withinMs: 180_000, everyMs: 20 });
    return Math.round(performance.now() - killedAt - (starved() - starvedBefore));
  }

  private prepare(crash?: CrashPoint): PreparedProcess {
    return prepareAppProcess({
      DATABASE_URL: this.database.url,
      // One variant on each kind of lock.
      ...(this.variant === 'takeover' && { REDIS_URL: requiredEnv('TEST_REDIS_URL') }),
      SAGA_LEASE_MS: String(LEASE_MS),
      SAGA_BACKOFF_FACTOR: '0.2',
      // Three timeouts would reject an order that ought to be confirmed.
      GATEWAY_TIMEOUT_MS: '2000',
      DATABASE_POOL_SIZE: '6',
      ...(crash && { FAULT_POINT: `${crash.point}=kill@SIGUSR2` }),
    });
  }

  private async stock({ api }: AppProcess): Promise<void> {
    await shelve(api, `${this.prefix}-plenty`, 10_000);
    await shelve(api, `${this.prefix}-none`, 0);
  }
}
