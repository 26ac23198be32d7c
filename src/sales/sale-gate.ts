import { Injectable } from '@nestjs/common';
import { Batcher } from '../common/batcher.js';
import { DomainError } from '../common/domain-error.js';
import { normaliseEmail } from '../common/email.js';
import type { Holder, HoldPolicy, HoldTicket, TicketUse } from '../inventory/reservation/hold-policy.js';
import { SkuCache } from '../inventory/sku/sku-cache.js';
import { SkuRepository } from '../inventory/sku/sku.repository.js';
import { DatabaseClock } from '../platform/postgres/database-clock.js';
import { isUnavailable } from '../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import type { Tx } from '../platform/postgres/tx.js';
import { OpenSales } from './open-sales.js';
import { type Sale, type Ticket, ticketState } from './sale.js';
import { TicketTokens } from './ticket/ticket-tokens.js';
import { TicketRepository } from './ticket/ticket.repository.js';

const LOOK_UPS = { maxBatch: 500, maxInFlight: 2, isShared: isUnavailable };

type Refusal =
  | 'MISSING'
  | 'INVALID'
  | 'OTHER_SALE'
  | 'OTHER_CUSTOMER'
  | 'USED'
  | 'USED_OR_EXPIRED'
  | 'WAITING'
  | 'EXPIRED'
  | 'SOLD_OUT';

export class AdmissionRequiredError extends DomainError {
  constructor(saleId: string, reason: Refusal) {
    const detail = 'A sale of this is on: it needs a ticket that was called, in X-Sale-Ticket';
    super('ADMISSION_REQUIRED', detail, { saleId, reason });
  }
}

/**
 * While a sale is on, its goods are held only for a ticket that was called. Goods without a sale pay a look at a list in
 * memory. What is checked here is checked again by the statement that uses the ticket, in the transaction of the hold.
 */
@Injectable()
export class SaleGate implements HoldPolicy {
  private readonly lookUps: Batcher<string, Ticket | undefined>;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly open: OpenSales,
    private readonly tickets: TicketRepository,
    private readonly tokens: TicketTokens,
    private readonly catalogue: SkuCache,
    private readonly skus: SkuRepository,
    private readonly clock: DatabaseClock,
  ) {
    this.lookUps = new Batcher((ids) => this.lookUp(ids), LOOK_UPS);
  }

  admit(holder: Holder, skus: readonly string[]): readonly HoldTicket[] | Promise<readonly HoldTicket[]> {
    return this.open.isEmpty ? [] : this.admitToSales(holder, skus);
  }

  use(tx: Tx, uses: readonly TicketUse[]): void {
    // Of several in one batch nobody knows which: the batch is split, and each is told by itself.
    this.tickets.use(tx, uses, () => new AdmissionRequiredError(uses[0]?.saleId ?? '', 'USED_OR_EXPIRED'));
  }

  move(tx: Tx, moves: readonly { from: string; to: string }[]): void {
    this.tickets.move(tx, moves);
  }

  private async admitToSales(holder: Holder, skus: readonly string[]): Promise<readonly HoldTicket[]> {
    const sales = await this.salesOf(skus);
    if (sales.length === 0) return [];
    const tickets = await this.ticketsOf(holder);
    return sales.map((sale) => this.ticketFor(sale, tickets, holder));
  }

  private async salesOf(skus: readonly string[]): Promise<readonly Sale[]> {
    const sales = this.open.all();
    const wanted = new Set(skus);
    const isGrouped = sales.some(({ group }) => group !== null);
    const known = isGrouped
      ? (this.catalogue.find(skus) ?? (await this.skus.find(this.transactions, skus)))
      : new Map();
    const groups = new Set([...known.values()].map(({ group }) => group as string | null));
    return sales.filter((sale) =>
      sale.group === null ? sale.skus?.some((sku) => wanted.has(sku)) : groups.has(sale.group),
    );
  }

  /** Several sales, several tickets, with commas in between. Undefined stands for a token that we have not issued. */
  private ticketsOf({ caller: { saleTicket } }: Holder): Promise<(Ticket | undefined)[]> {
    const tokens = saleTicket?.split(',').slice(0, 10) ?? [];
    return Promise.all(
      tokens.map((token) => {
        const id = this.tokens.ticketOf(token);
        return id === undefined ? Promise.resolve(undefined) : this.lookUps.run(id);
      }),
    );
  }

  private ticketFor(sale: Sale, tickets: readonly (Ticket | undefined)[], holder: Holder): HoldTicket {
    const ticket = tickets.find((candidate) => candidate?.saleId === sale.id);
    const refuse = (reason: Refusal) => new AdmissionRequiredError(sale.id, reason);
    if (tickets.length === 0) throw refuse('MISSING');
    if (!ticket) throw refuse(tickets.includes(undefined) ? 'INVALID' : 'OTHER_SALE');
    if (!isHolder(ticket, holder)) throw refuse('OTHER_CUSTOMER');
    if (ticket.isSpent) throw refuse('USED');
    const state = ticketState(sale, ticket, this.clock.now());
    // That nothing is left is for the stock to say: some may have come back since.
    if (state === 'ADMITTED' || (state === 'SOLD_OUT' && ticket.admittedUntil))
      return { id: ticket.id, saleId: sale.id };
    throw refuse(state);
  }

  private async lookUp(ids: readonly string[]): Promise<(Ticket | undefined)[]> {
    const found = await this.tickets.find(this.transactions, [...new Set(ids)]);
    return ids.map((id) => found.get(id));
  }
}

/** A ticket is for whom it was given to, as far as both say who they are. */
function isHolder({ customerId, email }: Ticket, { caller, customer }: Holder): boolean {
  const id = caller.customerId ?? customer?.id;
  if (customerId !== null && id !== undefined && id !== customerId) return false;
  const given = customer?.email;
  return email === null || given === undefined || normaliseEmail(given) === email;
}
