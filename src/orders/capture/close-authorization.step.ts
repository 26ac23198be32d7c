import { Inject, Injectable } from '@nestjs/common';
import { PAYMENT_LOCK, paymentKey } from '../../lock/lock-keys.js';
import { type Authorization, AuthorizationService } from '../../payment/authorization.service.js';
import type { KnownCharge } from '../../payment/gateway/payment-gateway.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { Called, remote, RemoteAction, SagaStep } from '../../saga/saga-definition.js';
import { REFUND_RETRY } from '../retry-policies.js';
import type { ClosingData } from './claim-authorization.step.js';

/** Ends an authorisation at the provider, or asks what became of it, and records that. */
@Injectable()
export class CloseAuthorizationStep implements SagaStep<ClosingData> {
  readonly name = 'close-authorization';
  readonly retry = REFUND_RETRY;
  readonly timeoutMs: number;
  readonly execute: RemoteAction<ClosingData> = remote<ClosingData, KnownCharge>({
    kind: 'remote',
    locks: { keys: ({ orderId }) => [paymentKey(orderId)], terms: PAYMENT_LOCK },
    call: ({ data }, { signal }) => this.close(data, signal),
    // Neither ending it nor asking about it does harm a second time.
    resolve: () => Promise.resolve(undefined),
    record: (tx, answers) => this.record(tx, answers),
  });

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly authorizations: AuthorizationService,
  ) {
    this.timeoutMs = config.payment.timeoutMs;
  }

  private close(data: ClosingData, signal: AbortSignal): Promise<KnownCharge> {
    const authorization = authorizationOf(data);
    return data.cause === 'expired'
      ? this.authorizations.end(authorization, signal)
      : this.authorizations.lookUp(authorization, signal);
  }

  /** Where it turns out to stand, the event was wrong, and the mark of a saga that has ended means nothing. */
  private async record(tx: Tx, answers: readonly Called<ClosingData, KnownCharge>[]): Promise<void> {
    for (const { run, result } of answers) {
      const authorization = authorizationOf(run.data);
      const end = await this.authorizations.record(tx, authorization, result, 'others');
      const { transactionId, amount, currency } = authorization;
      if (end.kind === 'captured') run.note('payment.captured', { transactionId, amount: end.amount, currency });
      else if (end.kind !== 'open') run.note('payment.authorization_expired', { transactionId, amount, currency });
      else if (run.data.cause === 'expired') run.retry('the provider has not ended the authorisation yet');
    }
  }
}

function authorizationOf({ authorization }: ClosingData): Authorization {
  if (!authorization) throw new Error('an authorisation that was not claimed');
  return authorization;
}
