import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCodeOf } from '../../src/common/error-message.js';
import { KEYS } from '../setup/app-process.js';
import { basket } from '../setup/shop.js';

/** What buyers saw in one phase of the upgrade. */
export interface PhaseReport {
  readonly phase: string;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly longestMs: number;
  readonly medianMs: number;
}

interface Answer {
  readonly status: string;
  readonly ms: number;
}

interface Phase {
  readonly name: string;
  readonly since: number;
  readonly answers: Answer[];
  lastAt: number;
}

/**
 * Buyers who buy one thing after the other from the instances in rotation, in turn, as a balancer would send them. Only a
 * refused connection is tried at the next instance: nothing was sent. Everything else that goes wrong is counted.
 */
export class Buyers {
  /** Base URLs of the instances that get requests. */
  rotation: string[] = [];
  readonly problems: string[] = [];
  private readonly phases: Phase[] = [];
  private readonly underWay = new Map<string, number>();
  private turn = 0;
  private isStopped = false;
  private buying: Promise<unknown> = Promise.resolve();

  /** A pause between two purchases leaves the machine to the upgrade. */
  constructor(
    private readonly skus: readonly string[],
    private readonly pauseMs = 0,
  ) {}

  start(count: number): void {
    this.isStopped = false;
    this.buying = Promise.all(Array.from({ length: count }, () => this.buyOn()));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.buying;
  }

  /** What is answered from now on counts for this phase. */
  begin(name: string): void {
    this.phases.push({ name, since: performance.now(), answers: [], lastAt: performance.now() });
  }

  /** Answers of the present phase. */
  get count(): number {
    return this.phases.at(-1)?.answers.length ?? 0;
  }

  /** How many requests an instance still has to answer. */
  underWayAt(url: string): number {
    return this.underWay.get(url) ?? 0;
  }

  report(): PhaseReport[] {
    return this.phases.map(({ name, since, answers, lastAt }, index) => {
      const until = Math.min(this.phases[index + 1]?.since ?? Infinity, lastAt);
      const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
      const statuses: Record<string, number> = {};
      for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
      return {
        phase: name,
        seconds: (until - since) / 1_000,
        statuses,
        longestMs: times.at(-1) ?? 0,
        medianMs: times[Math.floor(times.length / 2)] ?? 0,
      };
    });
  }

  private async buyOn(): Promise<void> {
    while (!this.isStopped) {
      await this.buy();
      await delay(this.pauseMs);
    }
  }

  private async buy(): Promise<void> {
    const key = randomUUID();
    const sku = this.skus[this.turn % this.skus.length] ?? '';
    const startedAt = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      this.turn += 1;
      const url = this.rotation[this.turn % this.rotation.length] ?? '';
      const status = await this.send(url, sku, key);
      if (status === 'refused' && attempt <= this.rotation.length) continue;
      this.note(status, performance.now() - startedAt);
      return;
    }
  }

  private note(status: string, ms: number): void {
    const phase = this.phases.at(-1);
    if (!phase) return;
    phase.answers.push({ status, ms });
    phase.lastAt = performance.now();
  }

  private async send(url: string, sku: string, key: string): Promise<string> {
    this.underWay.set(url, this.underWayAt(url) + 1);
    try {
      const response = await fetch(`${url}/v1/checkouts`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': KEYS.STOREFRONT_API_KEY,
          'idempotency-key': key,
        },
        body: JSON.stringify(basket(sku)),
      });
      const text = await response.text();
      if (response.status !== 201) this.keep(`${response.status} ${text}`);
      return String(response.status);
    } catch (error) {
      const code = systemCodeOf((error as { cause?: unknown }).cause);
      if (code === 'ECONNREFUSED') return 'refused';
      this.keep(`lost: ${code ?? String(error)}`);
      return 'lost';
    } finally {
      this.underWay.set(url, this.underWayAt(url) - 1);
    }
  }

  private keep(problem: string): void {
    if (this.problems.length < 20) this.problems.push(problem);
  }
}
