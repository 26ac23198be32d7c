import { Inject, Injectable, Logger } from '@nestjs/common';
import { backoffMs } from '../../common/backoff.js';
import type { ErrorCode } from '../../common/domain-error.js';
import { messageOf } from '../../common/error-message.js';
import { faultPoint } from '../../common/fault-point.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { CommandMessage } from '../../platform/stream/stream-broker.js';
import { CommandMetrics } from './command-metrics.js';
import { CommandRunner, type CommandVerdict } from './command-runner.service.js';
import { DeadLetterService } from './dead-letter.service.js';

/** Where a test may crash or pause the consumer: around the acknowledgement, and around the record of a dead letter. */
export const COMMAND_FAULT_POINTS = [
  'before-call:stream-acknowledge',
  'after-call:stream-acknowledge',
  'before-commit:dead-letter',
  'after-commit:dead-letter',
];

const RETRY = { baseMs: 500, capMs: 30_000 };
/** A key is kept for at least a day: a message delivered again after that may have run without a trace. */
const KEY_KEPT_MS = 24 * 3_600_000;

/** From a message to its end: acknowledged once the outcome is stored, returned for another attempt, or a dead letter. */
@Injectable()
export class CommandHandler {
  private readonly logger = new Logger(CommandHandler.name);

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly runner: CommandRunner,
    private readonly deadLetters: DeadLetterService,
    private readonly metrics: CommandMetrics,
  ) {}

  /** Does not throw. When the signal aborts, the message is returned as it is, for another instance. */
  async handle(message: CommandMessage, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const heartbeat = setInterval(() => message.keep(), this.config.stream.ackWaitMs / 3);
    const abandon = (): void => message.retryAfter(0);
    signal.addEventListener('abort', abandon, { once: true });
    try {
      const verdict = await this.verdictOn(message, signal);
      // Returned already: the stop of an instance is no reason for a dead letter.
      if (signal.aborted && verdict.kind === 'failed') return;
      await this.settle(message, verdict, startedAt);
    } catch (error) {
      this.logger.warn(`${message.source} will come again: ${messageOf(error)}`);
      this.retry(message);
    } finally {
      clearInterval(heartbeat);
      signal.removeEventListener('abort', abandon);
    }
  }

  private async verdictOn(message: CommandMessage, signal: AbortSignal): Promise<CommandVerdict> {
    const doubt = this.doubtAbout(message);
    if (doubt === undefined || (await this.runner.isKnown(message))) return this.runner.run(message, signal);
    return { kind: 'refused', ...doubt };
  }

  /** Why a message without a trace in the database must not run once more. */
  private doubtAbout({ deliveries, sentAt }: CommandMessage): { code: ErrorCode; reason: string } | undefined {
    if (deliveries > this.config.stream.maxDeliveries)
      return { code: 'INTERNAL_ERROR', reason: `Delivered ${deliveries - 1} times, and no attempt came to an end` };
    if (deliveries > 1 && Date.now() - sentAt.getTime() > KEY_KEPT_MS)
      return {
        code: 'INVALID_STATE',
        reason: 'Delivered again after more than a day: it may have run before',
      };
    return undefined;
  }

  private async settle(message: CommandMessage, verdict: CommandVerdict, startedAt: number): Promise<void> {
    if (verdict.kind === 'ended') {
      await faultPoint('before-call:stream-acknowledge');
      message.acknowledge();
      await faultPoint('after-call:stream-acknowledge');
      this.metrics.ended(verdict.outcome, performance.now() - startedAt);
    } else if (verdict.kind === 'failed' && message.deliveries < this.config.stream.maxDeliveries) {
      this.retry(message);
    } else {
      await faultPoint('before-commit:dead-letter');
      await this.deadLetters.record(message, verdict.code, verdict.reason);
      await faultPoint('after-commit:dead-letter');
      message.discard();
      this.metrics.count('dead_lettered');
      this.logger.warn(`${message.source} is a dead letter: ${verdict.code} ${verdict.reason}`);
    }
  }

  private retry(message: CommandMessage): void {
    message.retryAfter(backoffMs(RETRY, message.deliveries));
    this.metrics.count('retried');
  }
}
