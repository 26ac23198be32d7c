export type FoundBy = 'callback' | 'reconciliation';

/** A refund that is SETTLED here and that the provider took back, with its repair. */
export interface FailedRefund {
  readonly orderId: string;
  readonly transactionId: string;
  readonly amount: number;
  readonly reason: string;
  /** Resolves when the saga that repays it is stored. At most one saga does, however often this is called. */
  repay(source: FoundBy): Promise<{ ended: Promise<void> }>;
  isRepaid(): Promise<boolean>;
}

/**
 * How often a refund that failed after it had settled is repaid without a person. A closed card stays closed, but a
 * provider's or a bank's outage is over by then.
 */
export const MAX_LATE_FAILURES = 3;

export function tooManyFailures(lateFailures: number, failure: string): string {
  return (
    `the refund has failed ${lateFailures} times after it had settled, lastly with ${failure}: ` +
    'reach the customer; retry pays it again, resolve says that it was paid in another way'
  );
}
