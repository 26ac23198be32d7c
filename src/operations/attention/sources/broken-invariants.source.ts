import { Injectable } from '@nestjs/common';
import { isId } from '../../../common/id.js';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import { InvariantHistoryRepository, type ResultRow } from '../../../audit/invariants/invariant-history.repository.js';
import { type AttentionSource, outlook } from '../attention-source.js';
import type { AttentionGroup, AttentionItem } from '../attention.dto.js';

/** Invariants that the last check found broken. Neither the service nor a verb can repair them. */
@Injectable()
export class BrokenInvariantsSource implements AttentionSource {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly history: InvariantHistoryRepository,
  ) {}

  async groups(): Promise<AttentionGroup[]> {
    const latest = await this.history.latest(this.transactions);
    return latest.filter(({ isOk }) => !isOk).map(toGroup);
  }
}

function toGroup({ name, count, violations, firstAt }: ResultRow): AttentionGroup {
  const items = violations.map((violation, index) => toItem(name, index, violation, firstAt));
  return {
    cause: `broken-invariant:${name}`,
    kind: 'broken-invariant',
    title: `An invariant is broken: ${name}`,
    why: items[0]?.problem ?? 'See the check.',
    count,
    oldestAt: firstAt.toISOString(),
    advice: 'Look at the rows before anything else is done to them: something wrote what the code never writes.',
    ...outlook(items, null),
    bulk: null,
    items,
  };
}

function toItem(name: string, index: number, violation: Record<string, unknown>, since: Date): AttentionItem {
  const { problem, orderId, ...rest } = violation;
  return {
    subjectKind: 'violation',
    subject: `${name}#${index + 1}`,
    orderId: typeof orderId === 'string' && isId(orderId) ? orderId : null,
    since: since.toISOString(),
    problem: [asText(problem ?? 'violated'), asText(rest)].filter(Boolean).join(': '),
    verbs: [],
  };
}

/** `ours captured 1350, provider captured 1250`: the members of an object, one by one. */
function asText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([member]) => member !== 'orderId')
    .map(([member, each]) => `${member} ${asText(each)}`)
    .join(', ');
}
