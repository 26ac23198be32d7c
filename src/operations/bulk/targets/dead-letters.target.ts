import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/domain-error.js';
import type { Operator } from '../../../platform/audit-trail/operator.js';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import { pageOf } from '../../../platform/postgres/window-walk.js';
import { DeadLetterRepository } from '../../../checkout/commands/dead-letter.repository.js';
import { DeadLetterService } from '../../../checkout/commands/dead-letter.service.js';
import type { BulkAction } from '../bulk-action.js';
import type { BulkFilter } from '../bulk-run.dto.js';
import type { TakenItem } from '../bulk-run.repository.js';
import { type BulkTarget, collect, PAGE, type PlannedSubject } from '../bulk-target.js';

/** Commands from the stream that were given up. */
@Injectable()
export class DeadLettersTarget implements BulkTarget {
  readonly actions = ['retry-dead-letters', 'discard-dead-letters'] as const;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: DeadLetterRepository,
    private readonly letters: DeadLetterService,
  ) {}

  async plan(action: BulkAction, { code }: BulkFilter, limit: number): Promise<PlannedSubject[]> {
    const isRetry = action === 'retry-dead-letters';
    const open = await collect(limit, async (before) => {
      const rows = await this.repository.list(this.transactions, { state: 'OPEN', before, limit: PAGE + 1 });
      return pageOf(rows, PAGE);
    });
    return open
      .filter((letter) => (code === undefined || letter.code === code) && (!isRetry || letter.body !== null))
      .map(({ id, orderId }) => ({
        subject: id,
        orderId,
        effects: isRetry ? [{ kind: 'run', what: 'the checkout, under its own id' }] : [],
      }));
  }

  async act(action: BulkAction, { subject }: TakenItem, operator: Operator): Promise<string> {
    if (action === 'discard-dead-letters') {
      await this.letters.discard(subject, operator);
      return 'discarded';
    }
    const { state, orderId, reason } = await this.letters.retry(subject, operator);
    if (state === 'OPEN') throw new DomainError('INVALID_STATE', reason);
    return `order ${orderId ?? 'unknown'}`;
  }
}
