import { Injectable } from '@nestjs/common';
import { RecentMap } from '../../common/recent-map.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { DatabaseClock } from '../../platform/postgres/database-clock.js';
import { OpenSales } from '../open-sales.js';
import { hasEnded, type Sale, type Ticket } from '../sale.js';
import { SaleRepository } from '../sale.repository.js';
import { PacedLookUp } from './paced-look-up.js';
import { TicketRepository } from './ticket.repository.js';

const MAX_TICKETS = 100_000;
/** What may have changed is looked up at most this often. */
const FRESH_MS = 1_000;
const LOOK_UP = { everyMs: 100, maxBatch: 2_000, maxWaiting: 20_000 };

interface Seen {
  readonly ticket: Ticket;
  readonly at: number;
}

export interface TicketView {
  readonly sale: Sale;
  readonly ticket: Ticket;
}

/**
 * Tickets for those who ask again and again. While a ticket waits, its place and how far the sale has admitted say all:
 * neither needs the database. Ten thousand who wait cost a query a second, and those who were just called a few more.
 */
@Injectable()
export class TicketReader {
  private readonly seen = new RecentMap<string, Seen>(MAX_TICKETS);
  private readonly ended = new RecentMap<string, { sale: Sale; at: number }>(100);
  private readonly lookUp = new PacedLookUp<Ticket>((ids) => this.find(ids), LOOK_UP);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly tickets: TicketRepository,
    private readonly sales: SaleRepository,
    private readonly open: OpenSales,
    private readonly clock: DatabaseClock,
  ) {}

  async view(saleId: string, ticketId: string): Promise<TicketView | undefined> {
    const sale = this.open.get(saleId) ?? (await this.endedSale(saleId));
    if (!sale) return undefined;
    const ticket = this.settled(sale, ticketId) ?? (await this.lookUp.run(ticketId));
    return ticket?.saleId === saleId ? { sale, ticket } : undefined;
  }

  /** What is known without the database; undefined where it has to be asked. */
  settled(sale: Sale, ticketId: string): Ticket | undefined {
    const seen = this.seen.get(ticketId);
    if (!seen) return undefined;
    const { ticket, at } = seen;
    const isWaiting = ticket.place === null ? sale.drawnAt === null : ticket.place > sale.admitted;
    const isOver = !ticket.admittedUntil && (hasEnded(sale, this.clock.now()) || isWaiting);
    return isOver || performance.now() - at < FRESH_MS ? ticket : undefined;
  }

  see(ticket: Ticket): void {
    this.seen.set(ticket.id, { ticket, at: performance.now() });
  }

  /** Of several tickets at once. */
  async look(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.find(ids);
  }

  private async find(ids: readonly string[]): Promise<Map<string, Ticket>> {
    const found = await this.tickets.find(this.transactions, ids);
    for (const ticket of found.values()) this.see(ticket);
    return found;
  }

  private async endedSale(id: string): Promise<Sale | undefined> {
    const known = this.ended.get(id);
    if (known && performance.now() - known.at < FRESH_MS) return known.sale;
    const sale = await this.sales.find(this.transactions, id);
    if (sale) this.ended.set(id, { sale, at: performance.now() });
    return sale;
  }
}
