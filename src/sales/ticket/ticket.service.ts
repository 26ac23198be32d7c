import { Injectable } from '@nestjs/common';
import { Batcher } from '../../common/batcher.js';
import { DomainError } from '../../common/domain-error.js';
import { normaliseEmail } from '../../common/email.js';
import type { Caller } from '../../platform/http/auth/caller.js';
import { CustomerProof } from '../../platform/http/auth/customer-proof.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import type { Answer, IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import { DatabaseClock } from '../../platform/postgres/database-clock.js';
import { isUnavailable } from '../../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { OpenSales } from '../open-sales.js';
import { hasEnded } from '../sale.js';
import { SaleNotFoundError } from '../sale.dto.js';
import { SaleRepository } from '../sale.repository.js';
import { type IssuedTicket, type PendingTicket, TicketBatch, type TicketOutcome } from './ticket-batch.js';
import { type TicketView, TicketReader } from './ticket-reader.js';
import { TicketTokens } from './ticket-tokens.js';
import { pollAfterSeconds, type TicketInput, type TicketResponse, toTicketResponse } from './ticket.dto.js';
import type { TicketHolder } from './ticket.repository.js';

const BATCHING = { maxBatch: 500, maxInFlight: 1, isShared: isUnavailable };
const MAX_WAITING = 20_000;

@Injectable()
export class TicketService {
  private readonly batches: Batcher<PendingTicket, TicketOutcome>;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly sales: SaleRepository,
    private readonly open: OpenSales,
    private readonly reader: TicketReader,
    private readonly tokens: TicketTokens,
    private readonly publicUrl: PublicUrl,
    private readonly idempotency: IdempotencyService,
    private readonly clock: DatabaseClock,
    private readonly proof: CustomerProof,
    batch: TicketBatch,
  ) {
    this.batches = new Batcher((pending) => batch.run(pending), BATCHING);
  }

  async create(request: IdempotentRequest, saleId: string, caller: Caller, input: TicketInput): Promise<Answer> {
    const { customerId } = caller;
    this.proof.assertMayName(input.customer.id, caller);
    await this.assertOpen(saleId);
    if (this.batches.depth >= MAX_WAITING) {
      throw new DomainError('DEPENDENCY_UNAVAILABLE', 'Too many come at once, try again shortly', { retryAfter: 2 });
    }
    const holder = holderOf(saleId, customerId, input);
    const outcome = await this.batches.run({ request, holder, isProven: customerId !== undefined });
    if (outcome.kind === 'refused') throw outcome.error;
    return this.complete(
      outcome.kind === 'issued' ? { ...outcome.response, isReplay: false } : await this.replay(request),
    );
  }

  /** With the ticket's own token, or by an admin. */
  async get(saleId: string, ticketId: string, { scope, saleTicket }: Caller): Promise<Answer> {
    const isMine = saleTicket !== undefined && this.tokens.ticketOf(saleTicket) === ticketId;
    const view = isMine || scope === 'admin' ? await this.reader.view(saleId, ticketId) : undefined;
    if (!view) throw new SaleNotFoundError(saleId);
    return { ...this.answer(view), isReplay: false };
  }

  toResponse({ sale, ticket }: TicketView): TicketResponse {
    const path = `/v1/sales/${encodeURIComponent(sale.id)}/tickets/${ticket.id}/events`;
    const eventsUrl = this.publicUrl.of(`${path}?token=${this.tokens.issueForEvents(ticket.id)}`);
    return toTicketResponse(sale, ticket, eventsUrl, this.clock.now());
  }

  private answer(view: TicketView) {
    const body = this.toResponse(view);
    const wait = pollAfterSeconds(view.sale, body, this.clock.now());
    return { status: 200, headers: { 'retry-after': String(wait), 'cache-control': 'no-store' }, body };
  }

  private async replay(request: IdempotentRequest): Promise<Answer> {
    const record = await this.idempotency.find(request);
    if (!record) throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'A request with this key is in progress');
    return this.idempotency.replay(request, record);
  }

  /** The stored answer names the ticket; how it stands is read now, and its token is issued anew. */
  private async complete(stored: Answer): Promise<Answer> {
    const { id, saleId } = stored.body as IssuedTicket;
    const view = await this.reader.view(saleId, id);
    if (!view) throw new SaleNotFoundError(saleId);
    const { headers, body } = this.answer(view);
    return { ...stored, headers: { ...headers, ...stored.headers }, body: { ...body, token: this.tokens.issue(id) } };
  }

  private async assertOpen(saleId: string): Promise<void> {
    if (this.open.get(saleId)) return;
    const sale = await this.sales.find(this.transactions, saleId);
    if (!sale) throw new SaleNotFoundError(saleId);
    if (hasEnded(sale, this.clock.now())) throw new DomainError('INVALID_STATE', 'The sale has ended', { saleId });
    await this.open.refresh(); // it was set up a moment ago, elsewhere
  }
}

function holderOf(saleId: string, provenId: string | undefined, { customer }: TicketInput): TicketHolder {
  const customerId = provenId ?? customer.id ?? null;
  const email = customer.email === undefined ? null : normaliseEmail(customer.email);
  if (customerId !== null || email !== null) return { saleId, customerId, email };
  const errors = [{ path: 'customer', message: 'send an id or an e-mail: there is one ticket for each' }];
  throw new DomainError('VALIDATION_FAILED', `customer: ${errors[0]?.message ?? ''}`, { errors });
}
