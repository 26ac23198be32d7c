import { Injectable } from '@nestjs/common';
import { isId } from '../../../common/id.js';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import { previewOf } from '../../preview/preview.js';
import { type AttentionSource, outlook, SHOWN } from '../attention-source.js';
import type { AttentionGroup, AttentionItem } from '../attention.dto.js';
import { AttentionRepository, type DeadCount, type DeadDelivery } from '../attention.repository.js';

/** Events that could not be delivered to an endpoint in all their attempts, by endpoint. */
@Injectable()
export class DeadDeliveriesSource implements AttentionSource {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly attention: AttentionRepository,
  ) {}

  async groups(): Promise<AttentionGroup[]> {
    const counts = await this.attention.deadDeliveryCounts(this.transactions);
    if (counts.length === 0) return [];
    const dead = await this.attention.deadDeliveries(this.transactions, SHOWN);
    return counts.map((count) =>
      toGroup(
        count,
        dead.filter(({ endpointId }) => endpointId === count.key),
      ),
    );
  }
}

function toGroup({ key: endpointId, count, oldestAt }: DeadCount, deliveries: readonly DeadDelivery[]): AttentionGroup {
  const [first] = deliveries;
  const items = deliveries.map(toItem);
  const isDisabled = first?.isDisabled ?? false;
  return {
    cause: `dead-delivery:${endpointId}`,
    kind: 'dead-delivery',
    title: `Events do not reach ${first?.url ?? 'an endpoint'}`,
    why: first?.problem ?? 'All attempts failed.',
    count,
    oldestAt: oldestAt.toISOString(),
    advice: isDisabled
      ? 'The endpoint is disabled: enable it first, then replay.'
      : 'Replay once the receiver answers again. Events keep their ids, so a receiver that has seen one can drop it.',
    ...outlook(items, isDisabled ? null : 'replay'),
    bulk: isDisabled ? null : { action: 'replay-deliveries', filter: { endpointId } },
    items,
  };
}

function toItem({ id, endpointId, subject, type, createdAt, problem, isDisabled }: DeadDelivery): AttentionItem {
  return {
    subjectKind: 'delivery',
    subject: id,
    endpointId,
    orderId: isId(subject) ? subject : null,
    since: createdAt.toISOString(),
    problem: `${type}: ${problem}`,
    verbs: isDisabled ? [] : [previewOf('replay', [{ kind: 'send', what: type }])],
  };
}
