import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import { DeadLetterRepository, type DeadLetterRow } from '../../../checkout/commands/dead-letter.repository.js';
import { previewOf } from '../../preview/preview.js';
import { type AttentionSource, outlook, SHOWN } from '../attention-source.js';
import type { AttentionGroup, AttentionItem } from '../attention.dto.js';
import { AttentionRepository, type DeadCount } from '../attention.repository.js';

const MAX_LETTERS = 200;
/** Codes with which a second attempt may succeed. Any other command has to be corrected and sent again. */
const TRANSIENT: ReadonlySet<string> = new Set(['LOCK_TIMEOUT', 'DEPENDENCY_UNAVAILABLE', 'INTERNAL_ERROR']);

/** Commands from the stream that could not be processed, by their code. */
@Injectable()
export class DeadLettersSource implements AttentionSource {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly attention: AttentionRepository,
    private readonly letters: DeadLetterRepository,
  ) {}

  async groups(): Promise<AttentionGroup[]> {
    const counts = await this.attention.deadLetters(this.transactions);
    if (counts.length === 0) return [];
    const open = await this.letters.list(this.transactions, { state: 'OPEN', limit: MAX_LETTERS });
    return counts.map((count) => toGroup(count, open.filter(({ code }) => code === count.key).slice(0, SHOWN)));
  }
}

function toGroup({ key: code, count, oldestAt }: DeadCount, letters: readonly DeadLetterRow[]): AttentionGroup {
  const items = letters.map(toItem);
  const recommended = TRANSIENT.has(code) ? 'retry' : 'discard';
  return {
    cause: `dead-letter:${code}`,
    kind: 'dead-letter',
    title: `A command from the stream could not be processed: ${code}`,
    why: items[0]?.problem ?? 'All deliveries failed.',
    count,
    oldestAt: oldestAt.toISOString(),
    advice: TRANSIENT.has(code)
      ? 'Retry it: it runs under its own id, so an order that it has made before is found, not made twice.'
      : 'Correct the command and send it again under a new id; then discard this one.',
    ...outlook(items, recommended),
    bulk: { action: `${recommended}-dead-letters`, filter: { code } },
    items,
  };
}

function toItem({ id, orderId, createdAt, reason, body }: DeadLetterRow): AttentionItem {
  const retry = previewOf('retry', [{ kind: 'run', what: 'the checkout, under its own id' }]);
  return {
    subjectKind: 'dead-letter',
    subject: id,
    orderId,
    since: createdAt.toISOString(),
    problem: reason,
    verbs: [...(body === null ? [] : [retry]), previewOf('discard', [])],
  };
}
