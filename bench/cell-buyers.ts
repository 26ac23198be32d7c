import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { KEYS } from '../test/setup/app-process.js';
import type { Cell } from './cell.js';

export interface Sales {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

/**
 * Buyers of one shop who come at a steady pace, whether or not those before them are served: what one shop does to another
 * would show in how long theirs take.
 */
export class CellBuyers {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 200 });
  private readonly timer: NodeJS.Timeout;
  private latencies: number[] = [];
  private failures = 0;
  private since = performance.now();
  private readonly startedAt = performance.now();
  private sent = 0;
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly cell: Cell,
    private readonly port: number,
    private readonly perSecond: number,
  ) {
    this.timer = setInterval(() => this.send(), 5);
  }

  /** What was sold since the last call. */
  take(): Sales {
    const seconds = (performance.now() - this.since) / 1_000;
    const sorted = this.latencies.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
    const sales = { perSecond: sorted.length / seconds, p50: at(0.5), p99: at(0.99), failed: this.failures };
    this.since = performance.now();
    this.latencies = [];
    this.failures = 0;
    return sales;
  }

  async goHome(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.underWay);
    this.agent.destroy();
  }

  /** As many as are due by now: a timer alone would be late whenever the process is. */
  private send(): void {
    const due = ((performance.now() - this.startedAt) / 1_000) * this.perSecond;
    for (; this.sent < due; this.sent += 1) {
      const sale = this.buy().finally(() => this.underWay.delete(sale));
      this.underWay.add(sale);
    }
  }

  private async buy(): Promise<void> {
    const startedAt = performance.now();
    const status = await this.post().catch(() => undefined);
    if (status === 201) this.latencies.push(performance.now() - startedAt);
    else this.failures += 1;
  }

  private post(): Promise<number | undefined> {
    const { skus, host } = this.cell;
    const sku = skus[this.sent % skus.length];
    const body = JSON.stringify({
      currency: 'EUR',
      lines: [{ sku, quantity: 1 }],
      payment: { method: 'pm_card_visa' },
    });
    const headers = {
      host,
      'x-api-key': KEYS.STOREFRONT_API_KEY,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const call = request(
        { port: this.port, host: '127.0.0.1', method: 'POST', path: '/v1/checkouts', agent: this.agent, headers },
        (answer) => {
          answer.resume();
          answer.once('end', () => resolve(answer.statusCode));
          answer.once('error', reject);
        },
      );
      call.once('error', reject);
      call.end(body);
    });
  }
}
