import { Injectable } from '@nestjs/common';
import { identifyRequest } from '../../../platform/idempotency/idempotency.js';
import type { Operator } from '../../../platform/audit-trail/operator.js';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import { OrderCommandService } from '../../../orders/order-command.service.js';
import { OrderSearchRepository } from '../../../orders/order-search.repository.js';
import { OrderFactsRepository } from '../../preview/order-facts.repository.js';
import { orderVerbs } from '../../preview/preview.js';
import type { BulkAction } from '../bulk-action.js';
import type { BulkFilter } from '../bulk-run.dto.js';
import type { TakenItem } from '../bulk-run.repository.js';
import { type BulkTarget, collect, inPages, PAGE, type PlannedSubject } from '../bulk-target.js';

/** As soon as the saga is stored, any instance finishes it. The run need not wait for that. */
const AT_ONCE = { isAsync: true, waitMs: 0 } as const;
const VERBS = { 'cancel-orders': 'cancel', 'refund-orders': 'refund' } as const satisfies Partial<
  Record<BulkAction, string>
>;
type OrderAction = keyof typeof VERBS;

/**
 * Confirmed orders. Each command has an Idempotency-Key made of the run and the order, so that it takes effect once.
 */
@Injectable()
export class OrdersTarget implements BulkTarget {
  readonly actions = Object.keys(VERBS) as OrderAction[];

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly search: OrderSearchRepository,
    private readonly facts: OrderFactsRepository,
    private readonly commands: OrderCommandService,
  ) {}

  async plan(action: OrderAction, filter: BulkFilter, limit: number): Promise<PlannedSubject[]> {
    const { sku, email, customerId, createdFrom, createdTo } = filter;
    const criteria = { sku, email, customerId, createdFrom, createdTo, state: 'CONFIRMED' as const };
    const found = await collect(limit, (before) => this.search.page({ ...criteria, before, limit: PAGE }));
    return inPages(found, (ids) => this.foretell(action, ids));
  }

  async act(action: OrderAction, { subject: id }: TakenItem, operator: Required<Operator>): Promise<string> {
    const { actor, reason, runId } = operator;
    const caller = { scope: 'admin', client: actor, formerKeyIds: [] } as const;
    const requestId = `bulk-${runId}`;
    const request = identifyRequest({ caller, route: action, params: { id }, body: { runId }, requestId }, runId + id);
    const answer =
      action === 'cancel-orders'
        ? await this.commands.cancel(id, caller, request, AT_ONCE, { reason, runId })
        : await this.commands.refund(id, { reason }, caller, request, AT_ONCE, runId);
    return answer.status === 202 ? 'under way' : 'done';
  }

  private async foretell(action: OrderAction, ids: readonly string[]): Promise<PlannedSubject[]> {
    const facts = await this.facts.of(this.transactions, ids);
    return ids.flatMap((id) => {
      const order = facts.get(id);
      const preview = order && orderVerbs(order).find(({ verb }) => verb === VERBS[action]);
      return preview ? [{ subject: id, orderId: id, effects: preview.effects }] : [];
    });
  }
}
