import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { isId } from '../common/id.js';
import { AuditTrail } from '../platform/audit-trail/audit-trail.js';
import type { Operator } from '../platform/audit-trail/operator.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { WebhookDeliveryRepository } from './webhook-delivery.repository.js';
import { WebhookEndpointService } from './webhook-endpoint.service.js';
import { WebhookQueue } from './webhook-queue.service.js';
import { DeliveryListQuery, DeliveryView, Page, toDeliveryView, toPage } from './webhook.dto.js';

/** Deliveries as an operator sees them. */
@Injectable()
export class WebhookDeliveryService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly endpoints: WebhookEndpointService,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly queue: WebhookQueue,
    private readonly trail: AuditTrail,
  ) {}

  async list(endpointId: string, { state, limit, cursor }: DeliveryListQuery): Promise<Page<DeliveryView>> {
    await this.endpoints.get(endpointId);
    const filter = { endpointId, state, before: cursor, limit: limit + 1 };
    return toPage(await this.deliveries.list(filter), limit, toDeliveryView);
  }

  /** Sends a delivery now, with a fresh set of attempts: a dead one, one that waits for a retry, or a delivered one. */
  async replay(endpointId: string, id: string, operator: Operator): Promise<DeliveryView> {
    const endpoint = await this.endpoints.get(endpointId);
    if (endpoint.state === 'DISABLED')
      throw new DomainError('INVALID_STATE', 'The endpoint is disabled: enable it first');
    const row = await this.transactions.run(async (tx) => {
      const due = await this.deliveries.replay(tx, endpointId, id);
      if (due) {
        const about = { orderId: isId(due.subject) ? due.subject : null, detail: { type: due.type, endpointId } };
        this.trail.append(tx, operator, { verb: 'replay', subjectKind: 'delivery', subject: id, ...about });
      }
      return due;
    });
    if (!row) throw await this.refusal(endpointId, id);
    // The row says that it is due: if the queue cannot be reached, the sweep finds it.
    await this.queue.hurry(id).catch(() => undefined);
    return toDeliveryView(row);
  }

  private async refusal(endpointId: string, id: string): Promise<DomainError> {
    const isKnown = await this.deliveries.exists(endpointId, id);
    return isKnown
      ? new DomainError('INVALID_STATE', 'The delivery waits for an earlier event of the same subject')
      : new DomainError('WEBHOOK_DELIVERY_NOT_FOUND', 'The webhook delivery does not exist');
  }
}
