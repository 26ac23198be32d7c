import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { faultPoint } from '../../common/fault-point.js';
import { AuditTrail } from '../../platform/audit-trail/audit-trail.js';
import type { Operator } from '../../platform/audit-trail/operator.js';
import type { Caller } from '../../platform/http/auth/caller.js';
import { IdempotencyRepository } from '../../platform/idempotency/idempotency.repository.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { PaymentRepository } from '../../payment/payment.repository.js';
import { SagaOperatorService } from '../../saga/operator/saga-operator.service.js';
import type { SagaFailure } from '../../saga/saga.errors.js';
import { bytesOf, type ClaimedKey, KeyAlreadyClaimedError } from '../claim-keys.js';
import type { OrderRow } from '../order.repository.js';

export const CANCEL_FAULT_POINTS = ['before-commit:cancel-pending', 'after-commit:cancel-pending'] as const;
const [BEFORE_COMMIT, AFTER_COMMIT] = CANCEL_FAULT_POINTS;

/**
 * Gives up an order that waits for its customer: the checkout's own saga turns back, and ends as after a decline. It is
 * taken away from whoever drives it by its epoch, so that a customer who authenticates at the same moment comes before or
 * behind, never beside it. Behind it the saga finds the charge captured and pays it back.
 */
@Injectable()
export class PendingCancellation {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly keys: IdempotencyRepository,
    private readonly payments: PaymentRepository,
    private readonly operator: SagaOperatorService,
    private readonly trail: AuditTrail,
  ) {}

  /** The key is claimed for the saga, which is the answer. Throws KeyAlreadyClaimedError, or INVALID_STATE. */
  async turnBack(order: OrderRow, caller: Caller, key: ClaimedKey, operator: Operator | undefined): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.claim(tx, key, order.sagaId);
      await this.operator.compensate(tx, order.sagaId, {
        ...{ actor: caller.client, reason: reasonOf(caller), failure: failureOf(caller) },
        // Read behind the saga's lock: what its driver writes comes with the saga, before us or not at all.
        isAllowed: () => this.waitsForCustomer(tx, order.id),
      });
      const { id } = order;
      if (operator) this.trail.append(tx, operator, { verb: 'cancel', subjectKind: 'order', subject: id, orderId: id });
      await faultPoint(BEFORE_COMMIT);
    });
    await faultPoint(AFTER_COMMIT);
    await this.operator.recover();
  }

  private async claim(tx: Tx, key: ClaimedKey, sagaId: string): Promise<void> {
    const claimed = await this.keys.claim(tx, [{ ...bytesOf(key), sagaId, lockMs: 0 }]);
    if (!claimed.has(key.id)) throw new KeyAlreadyClaimedError('the Idempotency-Key is taken');
  }

  private async waitsForCustomer(tx: Tx, orderId: string): Promise<boolean> {
    return (await this.payments.ofOrders(tx, [orderId])).get(orderId)?.state === 'REQUIRES_ACTION';
  }
}

export function cannotCancel({ id: orderId, state }: Pick<OrderRow, 'id' | 'state'>): DomainError {
  const detail =
    state === 'PENDING'
      ? 'The order does not wait for its customer: it is being paid, or given up already'
      : `The order is ${state}: it cannot be cancelled, or not by its customer any more`;
  return new DomainError('INVALID_STATE', detail, { orderId, state });
}

/** Customers read it. */
function failureOf({ scope }: Caller): SagaFailure {
  const detail = scope === 'admin' ? 'The shop cancelled the order' : 'The customer cancelled the order';
  return { code: 'CANCELLED', detail };
}

function reasonOf({ scope, customerId }: Caller): string {
  if (scope === 'admin') return 'cancelled while it waited for its customer';
  return customerId === undefined ? 'cancelled by the holder of its token' : `cancelled by its customer ${customerId}`;
}
