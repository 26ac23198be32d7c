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
  readonly source: 'callback' | 'reconciliation';
  /** Rotates the provider's key after a definite failure, and only then. */
  readonly attempt: number;
}

export type FoundStray = Omit<StrayData, 'sagaId' | 'strayId' | 'provider' | 'attempt'>;
