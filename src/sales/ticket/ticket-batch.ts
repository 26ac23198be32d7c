import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { newId } from '../../common/id.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { IdempotencyRepository, type StoredResponse } from '../../platform/idempotency/idempotency.repository.js';
import { storedRefusalOf } from '../../platform/idempotency/idempotency.service.js';
import { KeyScopeTransition } from '../../platform/idempotency/key-scope-transition.js';
import type { Sale } from '../sale.js';
import { SaleNotFoundError } from '../sale.dto.js';
import { SaleRepository } from '../sale.repository.js';
import { type NewTicket, type TicketHolder, TicketRepository } from './ticket.repository.js';

export interface PendingTicket {
  readonly request: IdempotentRequest;
  readonly holder: TicketHolder;
  /** The holder's id is that of a JWT: a ticket that is there already may be shown. */
  readonly isProven: boolean;
}

/** What the stored answer says; the rest, the token among it, is added when it leaves. */
export interface IssuedTicket {
  readonly id: string;
  readonly saleId: string;
}

export type TicketOutcome =
  | { readonly kind: 'issued'; readonly response: StoredResponse & { readonly body: IssuedTicket } }
  | { readonly kind: 'refused'; readonly error: DomainError }
  /** The key was used before. */
  | { readonly kind: 'known' };

/** Gives out tickets, many in one transaction, under the lock of their sale: the numbers have no gaps. */
@Injectable()
export class TicketBatch {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly keys: IdempotencyRepository,
    private readonly transition: KeyScopeTransition,
    private readonly sales: SaleRepository,
    private readonly tickets: TicketRepository,
  ) {}

  run(batch: readonly PendingTicket[]): Promise<readonly TicketOutcome[]> {
    return this.transactions.run(async (tx) => {
      const fresh = await this.claim(tx, batch);
      const outcomes = fresh.size === 0 ? new Map<PendingTicket, TicketOutcome>() : await this.issue(tx, [...fresh]);
      return batch.map((pending) => outcomes.get(pending) ?? { kind: 'known' });
    });
  }

  private async claim(tx: Tx, batch: readonly PendingTicket[]): Promise<Set<PendingTicket>> {
    const first = new Map(batch.toReversed().map((pending) => [hex(pending), pending]));
    const claims = [...first.values()].map(({ request }) => {
      const { fingerprint } = request;
      return { ids: this.transition.idsOf(request), fingerprint, sagaId: null, lockMs: 0 };
    });
    const claimed = await this.keys.claim(tx, claims);
    return new Set(batch.filter((pending) => claimed.has(hex(pending)) && first.get(hex(pending)) === pending));
  }

  private async issue(tx: Tx, batch: readonly PendingTicket[]): Promise<Map<PendingTicket, TicketOutcome>> {
    const sales = await this.sales.lock(tx, [...new Set(batch.map(({ holder }) => holder.saleId))]);
    const known = new Holders(await this.tickets.holders(tx, batch.map(holderOf)));
    const numbers = new Numbers(sales);
    const outcomes = new Map<PendingTicket, TicketOutcome>();
    for (const pending of batch) outcomes.set(pending, outcomeFor(pending, known, numbers));
    this.tickets.insert(tx, numbers.rows);
    this.keys.store(
      tx,
      [...outcomes].flatMap(([{ request }, outcome]) => {
        const response = outcome.kind === 'issued' ? outcome.response : refusal(outcome);
        return response ? [{ ids: this.transition.idsOf(request), response }] : [];
      }),
    );
    return outcomes;
  }
}

/** One ticket for a customer and one for a mailbox. */
class Holders {
  private readonly byName = new Map<string, string>();

  constructor(known: readonly NewTicket[]) {
    for (const ticket of known) this.add(ticket);
  }

  find({ saleId, customerId, email }: TicketHolder): string | undefined {
    return this.byName.get(`${saleId} id ${customerId}`) ?? this.byName.get(`${saleId} email ${email}`);
  }

  add({ id, saleId, customerId, email }: NewTicket): void {
    if (customerId !== null) this.byName.set(`${saleId} id ${customerId}`, id);
    if (email !== null) this.byName.set(`${saleId} email ${email}`, id);
  }
}

/** The next numbers of each sale. After the draw a place is a number: whoever comes later stands at the end. */
class Numbers {
  readonly rows: (NewTicket & { arrival: number; place: number | null })[] = [];
  private readonly last = new Map<string, number>();

  constructor(private readonly sales: ReadonlyMap<string, Sale>) {}

  add(ticket: NewTicket): void {
    const sale = this.sales.get(ticket.saleId);
    if (!sale) throw new SaleNotFoundError(ticket.saleId);
    const arrival = (this.last.get(sale.id) ?? sale.issued) + 1;
    this.last.set(sale.id, arrival);
    this.rows.push({ ...ticket, arrival, place: sale.drawnAt ? arrival : null });
  }
}

function outcomeFor({ holder, isProven }: PendingTicket, known: Holders, numbers: Numbers): TicketOutcome {
  const { saleId } = holder;
  const earlier = known.find(holder);
  if (earlier !== undefined && isProven) {
    return { kind: 'issued', response: { status: 200, body: { id: earlier, saleId } } };
  }
  if (earlier !== undefined) {
    const detail = 'There is a ticket for this customer or e-mail already';
    return { kind: 'refused', error: new DomainError('LIMIT_EXCEEDED', detail, { saleId }) };
  }
  const ticket = { ...holder, id: newId() };
  numbers.add(ticket);
  known.add(ticket);
  const headers = { location: `/v1/sales/${encodeURIComponent(saleId)}/tickets/${ticket.id}` };
  return { kind: 'issued', response: { status: 201, headers, body: { id: ticket.id, saleId } } };
}

function refusal(outcome: TicketOutcome): StoredResponse | undefined {
  return outcome.kind === 'refused' ? storedRefusalOf(outcome.error) : undefined;
}

function holderOf({ holder }: PendingTicket): TicketHolder {
  return holder;
}

function hex({ request }: PendingTicket): string {
  return request.id.toString('hex');
}
