import { Injectable } from '@nestjs/common';
import { isId } from '../../../common/id.js';
import type { Operator } from '../../../platform/audit-trail/operator.js';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import { pageOf } from '../../../platform/postgres/window-walk.js';
import { CallbackInboxRepository } from '../../../payment/callbacks/callback-inbox.repository.js';
import { CallbackInboxService } from '../../../payment/callbacks/callback-inbox.service.js';
import type { BulkAction } from '../bulk-action.js';
import type { BulkFilter } from '../bulk-run.dto.js';
import type { TakenItem } from '../bulk-run.repository.js';
import { type BulkTarget, collect, PAGE, type PlannedSubject } from '../bulk-target.js';

/** Callbacks of the provider that were given up. */
@Injectable()
export class CallbacksTarget implements BulkTarget {
  readonly actions = ['replay-callbacks'] as const;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly inbox: CallbackInboxRepository,
    private readonly callbacks: CallbackInboxService,
  ) {}

  async plan(_: BulkAction, { type }: BulkFilter, limit: number): Promise<PlannedSubject[]> {
    const dead = await collect(limit, async (before) => {
      const rows = await this.inbox.list(this.transactions, { state: 'DEAD', before, limit: PAGE + 1 });
      return pageOf(rows, PAGE);
    });
    return dead
      .filter((event) => type === undefined || event.type === type)
      .map(({ id, orderId }) => ({
        subject: id,
        orderId: isId(orderId) ? orderId : null,
        effects: [{ kind: 'ask' }],
      }));
  }

  async act(_: BulkAction, { subject }: TakenItem, operator: Operator): Promise<string> {
    await this.callbacks.replay(subject, operator);
    return 'to be processed again';
  }
}
