import { Inject, Injectable } from '@nestjs/common';
import { isId, newId } from '../../common/id.js';
import { DomainError } from '../../common/domain-error.js';
import { AuditTrail } from '../../platform/audit-trail/audit-trail.js';
import type { Operator } from '../../platform/audit-trail/operator.js';
import { toTraceparent, type TraceContext } from '../../platform/tracing/trace-context.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import {
  InvalidSignatureError,
  PAYMENT_GATEWAY,
  type PaymentGateway,
  type CallbackEvent,
} from '../gateway/payment-gateway.js';
import type { CallbackEventListQuery } from './callback-event.dto.js';
import { InboxRow, CallbackInboxRepository } from './callback-inbox.repository.js';
import { CallbackMetrics } from './callback-metrics.js';
import { CallbackWorkerJob } from './callback-worker.job.js';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Receives callbacks: verifies them, stores each once and answers at once. The worker gives them their effect. */
@Injectable()
export class CallbackInboxService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
    private readonly inbox: CallbackInboxRepository,
    private readonly worker: CallbackWorkerJob,
    private readonly metrics: CallbackMetrics,
    private readonly trail: AuditTrail,
  ) {}

  async receive(
    provider: string,
    rawBody: Buffer | undefined,
    headers: Headers,
    trace: TraceContext | undefined,
  ): Promise<{ received: true }> {
    if (provider !== this.gateway.provider) throw new DomainError('NOT_FOUND', 'No such payment provider');
    const event = this.verify(provider, rawBody ?? Buffer.alloc(0), headers);
    const isNew = await this.inbox.store(
      this.transactions,
      newId(),
      provider,
      event,
      trace ? toTraceparent(trace) : null,
    );
    this.metrics.count(provider, isNew ? 'received' : 'duplicate');
    if (isNew) this.worker.poke();
    return { received: true };
  }

  async list(query: CallbackEventListQuery): Promise<{ items: InboxRow[]; nextCursor: string | null }> {
    const { state, provider, cursor: before, limit } = query;
    const rows = await this.inbox.list(this.transactions, { state, provider, before, limit: limit + 1 });
    const items = rows.slice(0, limit);
    return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  /** Processing is idempotent, so any event may be replayed, not only dead ones. */
  async replay(id: string, operator: Operator): Promise<InboxRow> {
    const row = await this.transactions.run(async (tx) => {
      const due = await this.inbox.replay(tx, id);
      if (!due) throw new DomainError('WEBHOOK_EVENT_NOT_FOUND', 'The webhook event does not exist');
      const { type, eventId, orderId } = due;
      const about = { orderId: isId(orderId) ? orderId : null, detail: { type, eventId } };
      this.trail.append(tx, operator, { verb: 'replay', subjectKind: 'callback', subject: id, ...about });
      return due;
    });
    this.worker.poke();
    return row;
  }

  private verify(provider: string, rawBody: Buffer, headers: Headers): CallbackEvent {
    try {
      return this.gateway.parseWebhook(rawBody, headers);
    } catch (error) {
      if (!(error instanceof InvalidSignatureError)) throw error;
      this.metrics.count(provider, 'refused');
      throw new DomainError('INVALID_SIGNATURE', `The callback is not accepted: ${error.message}`);
    }
  }
}
