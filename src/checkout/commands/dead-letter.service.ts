import { Injectable } from '@nestjs/common';
import { containsCardNumber } from '../../common/card-number.js';
import { DomainError } from '../../common/domain-error.js';
import { newId } from '../../common/id.js';
import { AuditTrail } from '../../platform/audit-trail/audit-trail.js';
import type { Operator } from '../../platform/audit-trail/operator.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { CommandMessage } from '../../platform/stream/stream-broker.js';
import { CommandRunner } from './command-runner.service.js';
import { type DeadLetterListQuery, type DeadLetterPage, type DeadLetterView, toView } from './dead-letter.dto.js';
import { DeadLetterRepository, type DeadLetterRow } from './dead-letter.repository.js';

const MAX_BODY_CHARS = 65_536;
const MAX_ID_CHARS = 255;
const MAX_REASON_CHARS = 1_000;
/** An operator waits for the answer. */
const RETRY_WITHIN_MS = 15_000;

/** Commands that could not be processed, with their reason, until an operator has retried or discarded them. */
@Injectable()
export class DeadLetterService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly letters: DeadLetterRepository,
    private readonly outbox: OutboxRepository,
    private readonly runner: CommandRunner,
    private readonly trail: AuditTrail,
  ) {}

  /** Once per message, together with the event that says so. */
  async record(
    { id: messageId, source, body, deliveries }: CommandMessage,
    code: string,
    reason: string,
  ): Promise<void> {
    const shownId = messageId === undefined ? null : storable(messageId).slice(0, MAX_ID_CHARS);
    const letter = {
      id: newId(),
      source,
      messageId: shownId,
      body: storableBody(body),
      code,
      reason: storable(reason).slice(0, MAX_REASON_CHARS),
      deliveries,
    };
    await this.transactions.run(async (tx) => {
      if (!(await this.letters.insert(tx, letter))) return;
      const payload = { deadLetterId: letter.id, messageId: shownId, code, reason: letter.reason, deliveries };
      this.outbox.append(tx, [{ type: 'command.dead_lettered', subject: letter.id, payload }]);
    });
  }

  async list({ state, limit, cursor }: DeadLetterListQuery): Promise<DeadLetterPage> {
    const rows = await this.letters.list(this.transactions, { state, before: cursor, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    return { items: shown.map(toView), nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
  }

  async get(id: string): Promise<DeadLetterView> {
    return toView(await this.find(id));
  }

  /** Runs the command again, under its own id: an order that it has made before is found, not made twice. */
  async retry(id: string, operator: Operator): Promise<DeadLetterView> {
    const { source, messageId, body } = await this.findOpen(id);
    if (body === null) throw new DomainError('INVALID_STATE', 'The message was not stored: send it again');
    const command = { id: messageId ?? undefined, source, body: Buffer.from(body) };
    const verdict = await this.runner.run(command, AbortSignal.timeout(RETRY_WITHIN_MS));
    const row =
      verdict.kind === 'ended'
        ? await this.resolve(id, 'retry', operator, verdict.orderId)
        : await this.letters.failAgain(this.transactions, id, verdict.code, storable(verdict.reason));
    return toView(row ?? (await this.find(id)));
  }

  async discard(id: string, operator: Operator): Promise<DeadLetterView> {
    await this.findOpen(id);
    const row = await this.resolve(id, 'discard', operator);
    return toView(row ?? (await this.findOpen(id)));
  }

  /** Undefined if it is not open any more. */
  private resolve(id: string, verb: 'retry' | 'discard', operator: Operator, orderId?: string) {
    const state = verb === 'retry' ? 'RETRIED' : 'DISCARDED';
    return this.transactions.run(async (tx) => {
      const row = await this.letters.resolve(tx, id, { state, actor: operator.actor, orderId });
      if (row) this.trail.append(tx, operator, { verb, subjectKind: 'dead-letter', subject: id, orderId: row.orderId });
      return row;
    });
  }

  private async find(id: string): Promise<DeadLetterRow> {
    const row = await this.letters.find(this.transactions, id);
    if (!row) throw new DomainError('DEAD_LETTER_NOT_FOUND', 'The dead letter does not exist');
    return row;
  }

  private async findOpen(id: string): Promise<DeadLetterRow> {
    const row = await this.find(id);
    if (row.state !== 'OPEN') throw new DomainError('INVALID_STATE', `The dead letter is ${row.state}`);
    return row;
  }
}

/** As far as it may be kept: a card number would make the database subject to PCI DSS, and a code is money. */
function storableBody(bytes: Uint8Array): string | null {
  const text = storable(new TextDecoder().decode(bytes)).slice(0, MAX_BODY_CHARS);
  return containsCardNumber(text) || text.includes('giftCardCode') ? null : text;
}

/** Without what PostgreSQL does not store. */
function storable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD');
}
