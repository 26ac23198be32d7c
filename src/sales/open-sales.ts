import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { messageOf } from '../common/error-message.js';
import { DatabaseClock } from '../platform/postgres/database-clock.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { Loops } from '../platform/loops/loops.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { AdmissionService } from './admission/admission.service.js';
import { hasEnded, type Sale } from './sale.js';
import { SaleRepository } from './sale.repository.js';

const EVERY_MS = 1_000;
/** While there is no sale. */
const IDLE_MS = 2_000;

/**
 * The sales that are set up and not over, as they were a second ago or so: all that a checkout of goods without
 * a sale ever asks, and all that those who wait in a queue cost.
 */
@Injectable()
export class OpenSales implements OnApplicationBootstrap {
  private readonly logger = new Logger(OpenSales.name);
  private byId: ReadonlyMap<string, Sale> = new Map();
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly sales: SaleRepository,
    private readonly admissions: AdmissionService,
    private readonly clock: DatabaseClock,
    loops: Loops,
    metrics: Metrics,
  ) {
    loops.schedule({
      name: 'sales',
      pace: { firstMs: EVERY_MS, minMs: EVERY_MS, maxMs: IDLE_MS },
      isVital: true,
      round: () => this.round(),
    });
    this.publish(metrics);
  }

  onApplicationBootstrap(): Promise<void> {
    return this.refresh();
  }

  /** After every look. */
  onRefresh(listener: () => void): void {
    this.listeners.add(listener);
  }

  get isEmpty(): boolean {
    return this.byId.size === 0;
  }

  get(id: string): Sale | undefined {
    const sale = this.byId.get(id);
    return sale && !hasEnded(sale, this.clock.now()) ? sale : undefined;
  }

  all(): Sale[] {
    const now = this.clock.now();
    return [...this.byId.values()].filter((sale) => !hasEnded(sale, now));
  }

  async refresh(): Promise<void> {
    this.byId = new Map((await this.sales.open(this.transactions)).map((sale) => [sale.id, sale]));
    for (const listener of this.listeners) listener();
  }

  /** A sale whose round fails must not hold up the others. */
  private async round(): Promise<boolean> {
    const now = this.clock.now();
    for (const { id, startsAt } of this.byId.values()) {
      if (startsAt > now) continue;
      await this.admissions.round(id).catch((error: unknown) => {
        this.logger.warn({ saleId: id, msg: `a round of admission failed: ${messageOf(error)}` });
      });
    }
    await this.refresh();
    return !this.isEmpty;
  }

  private publish(metrics: Metrics): void {
    const tickets = metrics.gauge('sale_tickets', 'Tickets of open sales by what became of them', ['sale', 'state']);
    const conversion = metrics.gauge('sale_conversion_ratio', 'Of those who were called, who has bought', ['sale']);
    metrics.onScrape(() => {
      tickets.reset();
      conversion.reset();
      for (const { id, issued, admitted, active, bought } of this.all()) {
        tickets.set({ sale: id, state: 'waiting' }, issued - admitted);
        tickets.set({ sale: id, state: 'active' }, active);
        tickets.set({ sale: id, state: 'bought' }, bought);
        tickets.set({ sale: id, state: 'admitted' }, admitted);
        conversion.set({ sale: id }, admitted === 0 ? 0 : bought / admitted);
      }
    });
  }
}
