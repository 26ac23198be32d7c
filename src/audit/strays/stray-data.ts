import type { FoundBy } from '../refund-failures/failed-refund.js';

/** A captured charge whose order was given up, or that is not the order's payment, with the data to pay it back. */
export interface StrayData {
  readonly sagaId: string;
  readonly strayId: string;
  readonly orderId: string;
  readonly provider: string;
  readonly transactionId: string;
  readonly amount: number;
  /** Already paid back by somebody else. */
  readonly refundedAmount: number;
  readonly currency: string;
  /** Who found it. */
  readonly source: FoundBy;
  /** Part of the provider's key: raised after a definite failure, and only then. */
  readonly attempt: number;
  /** The provider's id of the refund, once it is known. */
  readonly providerRefundId?: string | undefined;
}

export type FoundStray = Omit<StrayData, 'sagaId' | 'strayId' | 'provider' | 'attempt' | 'providerRefundId'>;

/** Its refund had settled, and the provider has taken it back. */
export interface FailedStrayData extends StrayData {
  readonly failedRefundId: string;
  readonly failure: string;
}

/** Attempt 1 has the key that strays had before there were several attempts. */
export function strayKey({ transactionId, attempt }: Pick<StrayData, 'transactionId' | 'attempt'>): string {
  return `stray:${transactionId}:${attempt}`;
}
