import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { AuditTrail } from '../platform/audit-trail/audit-trail.js';
import type { Operator } from '../platform/audit-trail/operator.js';
import type { Caller } from '../platform/http/auth/caller.js';
import type { Answer } from '../platform/idempotency/idempotency.js';
import { DatabaseClock } from '../platform/postgres/database-clock.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import type { Tx } from '../platform/postgres/tx.js';
import { OpenSales } from './open-sales.js';
import type { Sale, SaleTerms } from './sale.js';
import {
  type SaleInput,
  type SaleListInput,
  SaleNotFoundError,
  type SaleResponse,
  toAuditResponse,
  toSaleResponse,
  toTerms,
} from './sale.dto.js';
import { SaleRepository, type SaleVerb } from './sale.repository.js';

/** What an operator sets up and changes; every change leaves who made it. */
@Injectable()
export class SaleService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly sales: SaleRepository,
    private readonly open: OpenSales,
    private readonly clock: DatabaseClock,
    private readonly trail: AuditTrail,
  ) {}

  async put(id: string, input: SaleInput, operator: Operator): Promise<Answer> {
    const terms = toTerms(id, input);
    const { sale, isNew } = await this.transactions.run((tx) => this.write(tx, terms, input, operator));
    await this.open.refresh();
    const headers: Record<string, string> = isNew ? { location: `/v1/sales/${encodeURIComponent(id)}` } : {};
    return { status: isNew ? 201 : 200, headers, body: this.toResponse(sale), isReplay: false };
  }

  async get(id: string, { scope }: Caller): Promise<object> {
    const sale = this.open.get(id) ?? (await this.sales.find(this.transactions, id));
    if (!sale) throw new SaleNotFoundError(id);
    if (scope !== 'admin') return this.toResponse(sale);
    const audit = await this.sales.auditTrail(this.transactions, id);
    return { ...this.toResponse(sale), audit: audit.map(toAuditResponse) };
  }

  async list({ limit, cursor }: SaleListInput): Promise<{ items: SaleResponse[]; nextCursor: string | null }> {
    const found = await this.sales.list(this.transactions, cursor ?? '', limit + 1);
    const items = found.slice(0, limit).map((sale) => this.toResponse(sale));
    return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  async apply(id: string, verb: SaleVerb, operator: Operator): Promise<SaleResponse> {
    const sale = await this.transactions.run(async (tx) => {
      const moved = await this.sales.apply(tx, id, verb);
      if (moved) this.audit(tx, id, verb, operator, { reason: operator.reason });
      return moved;
    });
    if (sale) {
      await this.open.refresh();
      return this.toResponse(sale);
    }
    const current = await this.sales.find(this.transactions, id);
    if (!current) throw new SaleNotFoundError(id);
    const { state } = this.toResponse(current);
    throw new DomainError('INVALID_STATE', `The sale is ${state}: it cannot ${verb}`, { saleId: id, state });
  }

  private async write(tx: Tx, terms: SaleTerms, input: SaleInput, operator: Operator) {
    const current = (await this.sales.lock(tx, [terms.id])).get(terms.id);
    const created = current ? undefined : await this.sales.insert(tx, terms);
    this.audit(tx, terms.id, created ? 'create' : 'change', operator, input);
    if (created) return { sale: created, isNew: true };
    const existing = current ?? (await this.sales.lock(tx, [terms.id])).get(terms.id);
    if (!existing) throw new SaleNotFoundError(terms.id);
    assertChangeable(existing, terms, this.clock.now());
    const changed = await this.sales.update(tx, terms);
    if (!changed) throw new SaleNotFoundError(terms.id);
    return { sale: changed, isNew: false };
  }

  /** In the sale's own list, and in the trail of everything that operators did. */
  private audit(tx: Tx, id: string, verb: SaleVerb | 'create' | 'change', operator: Operator, detail: object): void {
    this.sales.audit(tx, id, { verb, actor: operator.actor, detail: { ...detail } });
    this.trail.append(tx, operator, { verb, subjectKind: 'sale', subject: id, detail: { ...detail } });
  }

  private toResponse(sale: Sale): SaleResponse {
    return toSaleResponse(sale, this.clock.now());
  }
}

/** The rate, the room and the end may change at any time. What is sold and when it starts decide who is in the queue. */
function assertChangeable(sale: Sale, terms: SaleTerms, now: Date): void {
  const refuse = (detail: string) => new DomainError('INVALID_STATE', detail, { saleId: sale.id });
  if (sale.endedAt) throw refuse('The sale has ended');
  const hasBegun = sale.drawnAt !== null || sale.startsAt <= now;
  if (hasBegun && sale.startsAt.getTime() !== terms.startsAt.getTime())
    throw refuse('The sale has begun: startsAt stays');
  const isSame =
    sale.group === terms.group && [...(sale.skus ?? [])].sort().join() === [...(terms.skus ?? [])].sort().join();
  if (!isSame && sale.issued > 0) throw refuse('Tickets were given out: what is sold stays');
}
