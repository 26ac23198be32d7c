export type FoundBy = 'callback' | 'reconciliation';

/** A refund that we take for paid and the provider has taken back, with what is to be done about it. */
export interface FailedRefund {
  readonly orderId: string;
  readonly transactionId: string;
  readonly amount: number;
  readonly reason: string;
  /** Resolves when the saga that pays it again is stored; at most one does, however often it is asked for. */
  repay(source: FoundBy): Promise<{ ended: Promise<void> }>;
  isRepaid(): Promise<boolean>;
}

/**
 * How often a refund that failed after it had settled is paid again without a person. A card that was closed is still closed
 * the next time; a provider's or a bank's bad day is over by then.
 */
export const MAX_LATE_FAILURES = 3;

export function tooManyFailures(lateFailures: number, failure: string): string {
  return (
    `the refund has failed ${lateFailures} times after it had settled, lastly with ${failure}: ` +
    'reach the customer; retry pays it again, resolve says that it was paid in another way'
  );
}
