/** The sandbox's behaviour for a payment method. A member that is missing means normal behaviour. */
export interface MethodBehaviour {
  readonly outcome: 'CAPTURED' | 'DECLINED' | 'PENDING';
  readonly declineCode?: string;
  readonly neverAnswers?: 'before-charge' | 'after-charge';
  readonly answersAfterMs?: number;
  /** How many calls under one key answer with a 500, without effect. */
  readonly serverErrors?: number;
  /** How many refunds of a charge fail before one settles. */
  readonly refundFailures?: number;
  /**
   * PENDING at the provider for a while, like a bank debit: there is nothing to do for the customer, and it cannot be
   * cancelled.
   */
  readonly isProcessing?: boolean;
  /** How many refunds of a charge settle and fail later. */
  readonly lateRefundFailures?: number;
}

const CAPTURES: MethodBehaviour = { outcome: 'CAPTURED' };
const UNKNOWN_METHOD: MethodBehaviour = { outcome: 'DECLINED', declineCode: 'invalid_payment_method' };

const METHODS: ReadonlyMap<string, MethodBehaviour> = new Map([
  ['pm_card_visa', CAPTURES],
  ['pm_card_chargeDeclined', { outcome: 'DECLINED', declineCode: 'card_declined' }],
  ['pm_card_chargeDeclinedInsufficientFunds', { outcome: 'DECLINED', declineCode: 'insufficient_funds' }],
  ['pm_card_authenticationRequired', { outcome: 'PENDING' }],
  ['pm_sandbox_timeout_after_charge', { outcome: 'CAPTURED', neverAnswers: 'after-charge' }],
  ['pm_sandbox_timeout_before_charge', { outcome: 'CAPTURED', neverAnswers: 'before-charge' }],
  ['pm_sandbox_slow', { outcome: 'CAPTURED', answersAfterMs: 2_000 }],
  ['pm_sandbox_error', { outcome: 'CAPTURED', serverErrors: 2 }],
  ['pm_sandbox_refund_fails', { outcome: 'CAPTURED', refundFailures: 2 }],
  ['pm_sandbox_processing', { outcome: 'PENDING', isProcessing: true }],
  ['pm_sandbox_refund_fails_late', { outcome: 'CAPTURED', lateRefundFailures: 1 }],
]);

export function behaviourOf(method: string): MethodBehaviour {
  return METHODS.get(method) ?? UNKNOWN_METHOD;
}

/** Nothing to simulate: the hot path. */
export function isPlain(behaviour: MethodBehaviour): boolean {
  return behaviour === CAPTURES;
}
