/** Lease and wait of every kind of lock. Leases are renewed while the work runs, for as long as it may take. */
export interface LockTimes {
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly workMs?: number;
}

/** Stock is locked for one transaction, whose connection ends it sooner than this. */
export const STOCK_LOCK: LockTimes = { leaseMs: 10_000, waitMs: 5_000, workMs: 20_000 };
/** A call to the provider, and the transactions before and after it. */
export const PAYMENT_LOCK: LockTimes = { leaseMs: 60_000, waitMs: 5_000, workMs: 120_000 };
export const REFUND_LOCK: LockTimes = { leaseMs: 60_000, waitMs: 5_000, workMs: 120_000 };
export const CALLBACK_LOCK: LockTimes = { leaseMs: 30_000, waitMs: 5_000, workMs: 60_000 };

export function stockKey(sku: string): string {
  return `inventory:reserve:${sku}`;
}

export function paymentKey(orderId: string): string {
  return `payment:order:${orderId}`;
}

export function refundKey(orderId: string): string {
  return `payment:refund:${orderId}`;
}

export function callbackKey(transactionId: string): string {
  return `payment:callback:${transactionId}`;
}

/** The first two segments: a label with few values, where the key itself would be one time series per order. */
export function familyOf(key: string): string {
  const first = key.indexOf(':');
  if (first < 0) return 'other';
  const second = key.indexOf(':', first + 1);
  return second < 0 ? 'other' : key.slice(0, second);
}
