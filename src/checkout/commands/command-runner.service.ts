import { Inject, Injectable, Logger } from '@nestjs/common';
import { sleep } from '../../common/backoff.js';
import { DomainError, type ErrorCode } from '../../common/domain-error.js';
import { messageOf } from '../../common/error-message.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { PROBLEMS } from '../../platform/http/problem.js';
import type { Preference } from '../../platform/http/prefer.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import { isUnavailable } from '../../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { parseTraceparent } from '../../platform/tracing/trace-context.js';
import type { RequestTrace } from '../../platform/tracing/traced-requests.js';
import { Tracing } from '../../platform/tracing/tracing.js';
import { SagaRepository } from '../../saga/saga.repository.js';
import { CheckoutService } from '../checkout.service.js';
import { type CheckoutCommand, parseCommand, type ReceivedCommand, STREAM_CALLER } from './checkout-command.js';

export type CommandVerdict =
  /** What came of it is stored: an order that is confirmed, rejected, or waits for its customer or an operator. */
  | { readonly kind: 'ended'; readonly outcome: 'confirmed' | 'rejected' | 'waiting'; readonly orderId: string }
  /** Another attempt may succeed. */
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly reason: string }
  /** No attempt can succeed, and there is no order that could say so. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly reason: string };

/** Also how long the key of a process that died keeps others waiting, unless the lease of a saga is longer. */
const PREFER: Preference = { waitMs: 5_000, isAsync: false };
const PAUSE_MS = 250;
/** Of these the next attempt may know more, without another delivery. */
const WORTH_WAITING: ReadonlySet<ErrorCode> = new Set(['IDEMPOTENCY_IN_PROGRESS', 'DEPENDENCY_UNAVAILABLE']);

/** Runs a checkout from a message until its outcome is stored, as POST /v1/checkouts does, but without a client that waits. */
@Injectable()
export class CommandRunner {
  private readonly logger = new Logger(CommandRunner.name);

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly checkouts: CheckoutService,
    private readonly idempotency: IdempotencyService,
    private readonly sagas: SagaRepository,
    private readonly transactions: TransactionRunner,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Stays with the command while its order is under way or the database is away: giving it back would count as a failed
   * delivery, and an outage must not make dead letters. The signal ends that.
   */
  async run(received: ReceivedCommand, signal: AbortSignal): Promise<CommandVerdict> {
    const identity = this.tracing.begin(parseTraceparent(received.traceparent));
    const trace = identity && { ...identity, from: this.tracing.clock.now() };
    const verdict = await this.runUntilStored(received, signal, trace);
    if (trace) this.record(trace, received, verdict);
    return verdict;
  }

  private record(trace: RequestTrace, { source }: ReceivedCommand, verdict: CommandVerdict): void {
    const error = verdict.kind === 'failed' ? verdict.code : undefined;
    const attributes = { 'messaging.message.id': source, 'command.verdict': verdict.kind };
    this.tracing.record(trace, {
      name: 'command checkout',
      kind: 'consumer',
      from: trace.from,
      to: this.tracing.clock.now(),
      attributes,
      error,
    });
  }

  private async runUntilStored(
    received: ReceivedCommand,
    signal: AbortSignal,
    trace: RequestTrace | undefined,
  ): Promise<CommandVerdict> {
    try {
      const command = parseCommand(received, this.config.http.bodyLimitBytes, trace);
      for (;;) {
        const verdict = await this.attempt(command);
        if (!(verdict.kind === 'failed' && WORTH_WAITING.has(verdict.code)) || signal.aborted) return verdict;
        await sleep(PAUSE_MS, signal);
      }
    } catch (error) {
      return verdictOf(error);
    }
  }

  /** Whether an earlier delivery has come as far as an order or an answer. */
  async isKnown(received: ReceivedCommand): Promise<boolean> {
    try {
      const { request } = parseCommand(received, this.config.http.bodyLimitBytes);
      return (await this.idempotency.find(request)) !== undefined;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  private async attempt({ body, request }: CheckoutCommand): Promise<CommandVerdict> {
    try {
      const answer = await this.checkouts.checkOut(body, STREAM_CALLER, request, PREFER);
      const order = answer.body as { readonly id: string; readonly sagaId: string };
      if (answer.status === 201) return { kind: 'ended', outcome: 'confirmed', orderId: order.id };
      if (await this.isResting(order.sagaId)) return { kind: 'ended', outcome: 'waiting', orderId: order.id };
      return { kind: 'failed', code: 'IDEMPOTENCY_IN_PROGRESS', reason: `Order ${order.id} is still under way` };
    } catch (error) {
      if (!(error instanceof DomainError) && !isUnavailable(error))
        this.logger.warn({ requestId: request.requestId, msg: `a command failed: ${messageOf(error)}` });
      return verdictOf(error);
    }
  }

  /** WAITING and STUCK are watched elsewhere: a saga that rests needs no command any more. */
  private async isResting(sagaId: string): Promise<boolean> {
    const [saga] = await this.sagas.find(this.transactions, [sagaId]);
    return saga !== undefined && saga.state !== 'RUNNING' && saga.state !== 'COMPENSATING';
  }
}

/** A refusal that names its order is the order's outcome; one without leaves nothing else to be seen. */
function verdictOf(error: unknown): CommandVerdict {
  if (isUnavailable(error)) return { kind: 'failed', code: 'DEPENDENCY_UNAVAILABLE', reason: messageOf(error) };
  if (!(error instanceof DomainError)) return { kind: 'failed', code: 'INTERNAL_ERROR', reason: messageOf(error) };
  const { code, message: reason, details } = error;
  const isTransient = PROBLEMS[code].status >= 500 || code === 'RATE_LIMITED' || code === 'IDEMPOTENCY_IN_PROGRESS';
  if (isTransient) return { kind: 'failed', code, reason };
  const { orderId } = details;
  return typeof orderId === 'string'
    ? { kind: 'ended', outcome: 'rejected', orderId }
    : { kind: 'refused', code, reason };
}
