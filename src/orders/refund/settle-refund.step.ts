import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { REFUND_LOCK, refundKey } from '../../lock/lock-keys.js';
import type { RefundResult } from '../../payment/gateway/payment-gateway.js';
import { RefundOrder, RefundService } from '../../payment/refund.service.js';
import { Called, remote, RemoteAction, SagaStep } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import { takeAnswerOf } from './refund-answer.js';
import { REFUND_RETRY } from '../retry-policies.js';

export interface RefundData {
  readonly orderId: string;
  /** Undefined if nothing is left to pay back. */
  readonly refund?: RefundOrder;
  /** It belonged to another saga before: the provider's state of it is looked up first. */
  readonly isRefundAdopted?: boolean;
}

/** Pays back what was set aside. Behind the pivot of its sagas: what is owed is tried until it is paid, then STUCK. */
@Injectable()
export class SettleRefundStep implements SagaStep<RefundData> {
  readonly name = 'settle-refund';
  readonly retry = REFUND_RETRY;
  readonly timeoutMs: number;
  readonly execute: RemoteAction<RefundData> = remote<RefundData, RefundResult | undefined>({
    kind: 'remote',
    locks: { keys: (data) => [refundKey(data.orderId)], terms: REFUND_LOCK },
    call: ({ data }, { signal }) => this.pay(data, signal),
    resolve: ({ data }, { signal }) => this.lookUp(data, signal),
    doubt: (tx, batch) => this.doubt(tx, batch),
    record: (tx, answers) => this.record(tx, answers),
  });

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly refunds: RefundService,
  ) {
    this.timeoutMs = config.payment.timeoutMs;
  }

  /** Not by the provider's key alone: providers forget their keys after a day or so. */
  async pay({ refund, isRefundAdopted }: RefundData, signal: AbortSignal): Promise<RefundResult | undefined> {
    if (!refund) return undefined;
    const known = isRefundAdopted ? await this.refunds.lookUp(refund, signal) : undefined;
    return known ?? this.refunds.perform(refund, signal);
  }

  lookUp({ refund }: RefundData, signal: AbortSignal): Promise<RefundResult | undefined> {
    return refund ? this.refunds.lookUp(refund, signal) : Promise.resolve(undefined);
  }

  doubt(tx: Tx, batch: readonly StepContext<RefundData>[]): Promise<void> {
    return this.refunds.doubt(
      tx,
      batch.flatMap(({ data }) => data.refund ?? []),
    );
  }

  async record(tx: Tx, answers: readonly Called<RefundData, RefundResult | undefined>[]): Promise<void> {
    const answered = answers.flatMap(({ run, result }) =>
      run.data.refund && result ? [{ run, result, refund: run.data.refund }] : [],
    );
    await this.refunds.record(tx, answered);
    for (const { run, result, refund } of answered) takeAnswerOf(run, refund, result);
  }
}
