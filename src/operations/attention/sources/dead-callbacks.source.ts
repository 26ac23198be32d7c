import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import { CallbackInboxRepository, type InboxRow } from '../../../payment/callbacks/callback-inbox.repository.js';
import { OrderFactsRepository } from '../../preview/order-facts.repository.js';
import { previewOf } from '../../preview/preview.js';
import { type AttentionSource, outlook, SHOWN } from '../attention-source.js';
import type { AttentionGroup, AttentionItem } from '../attention.dto.js';
import { AttentionRepository, type DeadCount } from '../attention.repository.js';

const MAX_CALLBACKS = 200;

/** Callbacks of the provider that could not be processed, by type. */
@Injectable()
export class DeadCallbacksSource implements AttentionSource {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly attention: AttentionRepository,
    private readonly inbox: CallbackInboxRepository,
    private readonly facts: OrderFactsRepository,
  ) {}

  async groups(): Promise<AttentionGroup[]> {
    const counts = await this.attention.deadCallbacks(this.transactions);
    if (counts.length === 0) return [];
    const dead = await this.inbox.list(this.transactions, { state: 'DEAD', limit: MAX_CALLBACKS });
    // That nobody knows its order may be the very reason why a callback is dead.
    const orders = await this.facts.of(
      this.transactions,
      dead.map(({ orderId }) => orderId ?? ''),
    );
    return counts.map((count) => {
      const own = dead.filter(({ type }) => type === count.key).slice(0, SHOWN);
      return toGroup(
        count,
        own.map((event) => toItem(event, orders.has(event.orderId ?? ''))),
      );
    });
  }
}

function toGroup({ key: type, count, oldestAt }: DeadCount, items: readonly AttentionItem[]): AttentionGroup {
  return {
    cause: `dead-callback:${type}`,
    kind: 'dead-callback',
    title: `A callback of the provider could not be processed: ${type}`,
    why: items[0]?.problem ?? 'All attempts failed.',
    count,
    oldestAt: oldestAt.toISOString(),
    advice: 'Replay it once the reason is gone. Processing is idempotent: what took effect before changes nothing.',
    ...outlook(items, 'replay'),
    bulk: { action: 'replay-callbacks', filter: { type } },
    items: [...items],
  };
}

function toItem({ id, orderId, receivedAt, error }: InboxRow, isOrderKnown: boolean): AttentionItem {
  return {
    subjectKind: 'callback',
    subject: id,
    orderId: isOrderKnown ? orderId : null,
    since: receivedAt.toISOString(),
    problem: error ?? 'All attempts failed.',
    verbs: [previewOf('replay', [{ kind: 'ask' }])],
  };
}
