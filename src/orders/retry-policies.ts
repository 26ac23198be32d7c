import type { RetryPolicy } from '../saga/saga-definition.js';

/** Our own database: contention passes quickly. */
export const LOCAL_RETRY: RetryPolicy = { maxAttempts: 5, baseMs: 50, capMs: 1_000 };
/** A charge is worth three tries while the customer waits. */
export const CHARGE_RETRY: RetryPolicy = { maxAttempts: 3, baseMs: 100, capMs: 2_000 };
/** Money that is owed is tried for much longer before a person has to look. */
export const REFUND_RETRY: RetryPolicy = { maxAttempts: 12, baseMs: 200, capMs: 15_000 };
