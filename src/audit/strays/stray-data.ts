import type { FoundBy } from '../refund-failures/failed-refund.js';

/** A captured charge whose order was given up, or beside the order's payment: what is needed to pay it back. */
export interface StrayData {
  readonly sagaId: string;
  readonly strayId: string;
  readonly orderId: string;
  readonly provider: string;
  readonly transactionId: string;
  readonly amount: number;
  /** Paid back by somebody else before. */
  readonly refundedAmount: number;
  readonly currency: string;
  /** Who found it. */
  readonly source: FoundBy;
  /** Rotates the provider's key after a definite failure, and only then. */
  readonly attempt: number;
  /** What the provider calls the refund, once that is known. */
  readonly providerRefundId?: string | undefined;
}

export type FoundStray = Omit<StrayData, 'sagaId' | 'strayId' | 'provider' | 'attempt' | 'providerRefundId'>;

/** Its refund had settled, and the provider has taken it back. */
export interface FailedStrayData extends StrayData {
  readonly failedRefundId: string;
  readonly failure: string;
}

/** Attempt 1 has the key that strays had before there were others. */
export function strayKey({ transactionId, attempt }: Pick<StrayData, 'transactionId' | 'attempt'>): string {
  return `stray:${transactionId}:${attempt}`;
}
