import { Inject, Injectable } from '@nestjs/common';
import { PAYMENT_LOCK, paymentKey } from '../../lock/lock-keys.js';
import { AuthorizationService } from '../../payment/authorization.service.js';
import type { KnownCharge } from '../../payment/gateway/payment-gateway.js';
import type { PaymentState } from '../../payment/payment-state.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { Called, remote, RemoteAction, SagaStep } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import { REFUND_RETRY } from '../retry-policies.js';
import type { CaptureData, CaptureOrder } from './request-capture.step.js';

/** Refused: the provider had ended the authorisation, or somebody there has captured another amount. */
export type CaptureOutcome = { readonly kind: 'captured' } | { readonly kind: 'refused'; readonly state: PaymentState };

/**
 * Takes the money. Behind the pivot of its saga: it is tried until the provider says that it is captured, or why it is
 * not, and then STUCK.
 */
@Injectable()
export class CapturePaymentStep implements SagaStep<CaptureData> {
  readonly name = 'capture-payment';
  readonly retry = REFUND_RETRY;
  readonly timeoutMs: number;
  readonly execute: RemoteAction<CaptureData> = remote<CaptureData, KnownCharge>({
    kind: 'remote',
    locks: { keys: ({ orderId }) => [paymentKey(orderId)], terms: PAYMENT_LOCK },
    call: ({ data }, { signal }) => this.capture(captureOf(data), data.sagaId, signal),
    resolve: ({ data }, { signal }) => this.lookUp(captureOf(data), signal),
    doubt: (_tx, batch) => this.doubt(batch),
    record: (tx, answers) => this.record(tx, answers),
  });

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly authorizations: AuthorizationService,
  ) {
    this.timeoutMs = config.payment.timeoutMs;
  }

  private capture(capture: CaptureOrder, sagaId: string, signal: AbortSignal): Promise<KnownCharge> {
    const { captureAmount, attempt } = capture;
    return this.authorizations.capture(capture, captureAmount, `capture:${sagaId}:${attempt}`, signal);
  }

  /** A charge that is still authorised may be captured, however often that was asked for: the provider does it once. */
  private async lookUp(capture: CaptureOrder, signal: AbortSignal): Promise<KnownCharge | undefined> {
    const charge = await this.authorizations.lookUp(capture, signal);
    return charge.state === 'AUTHORIZED' ? undefined : charge;
  }

  /**
   * The next request has another key. That is safe, since an authorisation can be captured only once; and needed, since
   * Stripe repeats a stored 500 under the old key for a day.
   */
  private doubt(batch: readonly StepContext<CaptureData>[]): Promise<void> {
    for (const run of batch) {
      const capture = captureOf(run.data);
      if (capture.attempt === 1) run.note('capture.in-doubt');
      run.update({ capture: { ...capture, attempt: capture.attempt + 1 } });
    }
    return Promise.resolve();
  }

  private async record(tx: Tx, answers: readonly Called<CaptureData, KnownCharge>[]): Promise<void> {
    for (const { run, result } of answers) {
      const capture = captureOf(run.data);
      const end = await this.authorizations.record(tx, capture, result, 'others');
      const { transactionId, currency, captureAmount } = capture;
      if (end.kind === 'open') run.retry('the provider has not captured it yet');
      else if (end.kind === 'captured') {
        run.note('payment.captured', { amount: end.amount, currency, transactionId });
        const outcome: CaptureOutcome =
          end.amount === captureAmount ? { kind: 'captured' } : { kind: 'refused', state: 'CAPTURED' };
        run.conclude(outcome);
      } else {
        run.note('payment.authorization_expired', { transactionId });
        run.conclude({ kind: 'refused', state: 'EXPIRED' } satisfies CaptureOutcome);
      }
    }
  }
}

function captureOf({ capture }: CaptureData): CaptureOrder {
  if (!capture) throw new Error('a capture that was not granted');
  return capture;
}
