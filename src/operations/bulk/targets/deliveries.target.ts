import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/domain-error.js';
import { isId } from '../../../common/id.js';
import type { Operator } from '../../../platform/audit-trail/operator.js';
import { statement } from '../../../platform/postgres/statement.js';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import { WebhookDeliveryService } from '../../../event-delivery/webhook-delivery.service.js';
import type { BulkAction } from '../bulk-action.js';
import type { BulkFilter } from '../bulk-run.dto.js';
import type { TakenItem } from '../bulk-run.repository.js';
import type { BulkTarget, PlannedSubject } from '../bulk-target.js';

/** Oldest first: deliveries about one subject have to stay in order. */
const DEAD = statement(
  'bulk.dead-deliveries',
  `SELECT id, type, subject FROM webhook_deliveries WHERE state = 'DEAD' AND endpoint_id = coalesce($1, endpoint_id)
   ORDER BY position LIMIT $2`,
);
const ENDPOINT_OF = statement(
  'bulk.endpoint-of',
  `SELECT endpoint_id AS "endpointId" FROM webhook_deliveries WHERE id = $1`,
);

/** Events that could not be delivered to their endpoint. */
@Injectable()
export class DeliveriesTarget implements BulkTarget {
  readonly actions = ['replay-deliveries'] as const;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly deliveries: WebhookDeliveryService,
  ) {}

  async plan(_: BulkAction, { endpointId }: BulkFilter, limit: number): Promise<PlannedSubject[]> {
    const dead = await this.transactions.query<{ id: string; type: string; subject: string }>(DEAD, [
      endpointId ?? null,
      limit + 1,
    ]);
    return dead.map(({ id, type, subject }) => ({
      subject: id,
      orderId: isId(subject) ? subject : null,
      effects: [{ kind: 'send', what: type }],
    }));
  }

  async act(_: BulkAction, { subject }: TakenItem, operator: Operator): Promise<string> {
    const [row] = await this.transactions.query<{ endpointId: string }>(ENDPOINT_OF, [subject]);
    if (!row) throw new DomainError('WEBHOOK_DELIVERY_NOT_FOUND', 'The webhook delivery does not exist');
    await this.deliveries.replay(row.endpointId, subject, operator);
    return 'to be delivered now';
  }
}
