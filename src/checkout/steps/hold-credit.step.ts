import { Injectable } from '@nestjs/common';
import type { CreditShare } from '../../common/totals.js';
import { type CreditVerdict, CreditRepository } from '../../credit/credit.repository.js';
import { ACCOUNT_LOCK, accountKey } from '../../lock/lock-keys.js';
import { OrderRepository } from '../../orders/order.repository.js';
import { LOCAL_RETRY } from '../../orders/retry-policies.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { LocalAction, SagaStep, Stage } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import type { CheckoutData } from '../checkout-data.js';

type Run = StepContext<CheckoutData>;

/**
 * Holds what accounts pay of the order, under their locks: as much as they have, in the order in which the customer named
 * them. What is left is for the card; without one the accounts pay all of it or the order is refused.
 */
@Injectable()
export class HoldCreditStep implements SagaStep<CheckoutData> {
  readonly name = 'hold-credit';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<CheckoutData> = {
    kind: 'local',
    locks: { keys: (data) => accountsOf(data).map(accountKey), terms: ACCOUNT_LOCK },
    prefetch: (tx, batch) =>
      this.credit.prefetch(
        tx,
        batch.flatMap(({ data }) => accountsOf(data)),
      ),
    run: (tx, batch, stage) => this.hold(tx, batch, stage),
  };
  readonly compensate: LocalAction<CheckoutData> = { kind: 'local', run: (tx, batch) => this.release(tx, batch) };

  constructor(
    private readonly credit: CreditRepository,
    private readonly orders: OrderRepository,
  ) {}

  private async hold(tx: Tx, batch: readonly Run[], { lease }: Stage): Promise<void> {
    const requests = batch.map(({ data }) => ({
      orderId: data.orderId,
      currency: data.currency,
      amount: data.total,
      accountIds: accountsOf(data),
      isWhole: data.method === undefined,
    }));
    const verdicts = await this.credit.hold(tx, requests, lease?.token);
    verdicts.forEach((verdict, index) => batch[index] && conclude(batch[index], verdict));
    const held = batch.filter((run) => !run.hasVerdict);
    this.orders.setCredit(
      tx,
      held.map(({ data }) => ({ orderId: data.orderId, credit: data.credit ?? [] })),
    );
  }

  private async release(tx: Tx, batch: readonly Run[]): Promise<void> {
    const released = await this.credit.release(
      tx,
      batch.map(({ data }) => data.orderId),
    );
    for (const run of batch) {
      const amount = released.reduce((sum, hold) => sum + (hold.orderId === run.data.orderId ? hold.amount : 0), 0);
      if (amount > 0) run.note('credit.released', { amount });
    }
  }
}

function conclude(run: Run, verdict: CreditVerdict): void {
  const { credit = [], total } = run.data;
  if (verdict.kind === 'short') {
    const { available } = verdict;
    const detail = `${total} is due, ${available} is there, and no card was named for the rest`;
    return run.fail({ code: 'INSUFFICIENT_CREDIT', detail, details: { required: total, available } });
  }
  const shares: CreditShare[] = credit.map((share, index) => ({ ...share, amount: verdict.amounts[index] ?? 0 }));
  run.update({ credit: shares });
  run.note('credit.held', { amount: verdict.amounts.reduce((sum, amount) => sum + amount, 0) });
}

function accountsOf({ credit }: CheckoutData): string[] {
  return credit?.map(({ accountId }) => accountId) ?? [];
}
