import { InvalidLockRequestError } from './lock-errors.js';

export interface LockTimes {
  /** How long the store keeps the lock without a renewal. It is renewed while the work runs. */
  readonly leaseMs: number;
  /** How long to wait for the keys, all layers together. 0 tries once. */
  readonly waitMs: number;
  /**
   * The longest time for the work. Afterwards the lease is not renewed and ends: work that hangs would otherwise keep
   * its keys for ever.
   */
  readonly workMs?: number;
}

export interface LockOptions extends LockTimes {
  /** How long to wait for keys that another process holds before giving up with LockBlockedError. */
  readonly patienceMs?: number;
  /** Aborts the wait. Once the lock is granted it has no effect: the work decides for itself. */
  readonly signal?: AbortSignal;
  /**
   * Lock process ids, separated by spaces. A key that one of them holds is taken over, with a higher token as always,
   * instead of being waited for. Only for callers that know that these processes have lost what the keys protect (ADR
   * 0002, "Heirs").
   */
  readonly heirOf?: string;
}

/** Stock is locked for one transaction, whose connection ends it sooner than this. */
export const STOCK_LOCK: LockTimes = { leaseMs: 10_000, waitMs: 5_000, workMs: 20_000 };
/** Credit is locked for one transaction like stock. */
export const ACCOUNT_LOCK: LockTimes = { leaseMs: 30_000, waitMs: 5_000, workMs: 20_000 };
/** A call to the provider, and the transactions before and after it. */
export const PAYMENT_LOCK: LockTimes = { leaseMs: 60_000, waitMs: 5_000, workMs: 120_000 };
export const REFUND_LOCK: LockTimes = { leaseMs: 60_000, waitMs: 5_000, workMs: 120_000 };
export const CALLBACK_LOCK: LockTimes = { leaseMs: 30_000, waitMs: 5_000, workMs: 60_000 };

export function stockKey(sku: string): string {
  return `inventory:reserve:${sku}`;
}

export function couponKey(code: string): string {
  return `promotion:coupon:${code}`;
}

export function accountKey(accountId: string): string {
  return `payment:account:${accountId}`;
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

const MAX_KEY_LENGTH = 512;
const MAX_KEYS = 2_000;
const MAX_DURATION_MS = 86_400_000;
/** For work without its own limit. */
export const DEFAULT_WORK_MS = 60_000;

/**
 * Checks what the caller wants. Returns the keys sorted and without duplicates: the same order everywhere, and a key named
 * twice is locked once.
 */
export function checkRequest(keys: readonly string[], { leaseMs, waitMs, workMs }: LockOptions): readonly string[] {
  if (!keys.every(isKey)) throw new InvalidLockRequestError(KEY_RULE);
  if (keys.length > MAX_KEYS) throw new InvalidLockRequestError(`${keys.length} keys in one lock, at most ${MAX_KEYS}`);
  if (!Number.isInteger(leaseMs)) throw new InvalidLockRequestError(`leaseMs must be whole, got ${leaseMs}`);
  for (const [name, ms, min] of [
    ['leaseMs', leaseMs, 1],
    ['waitMs', waitMs, 0],
    ['workMs', workMs ?? DEFAULT_WORK_MS, 1],
  ] as const)
    if (!(ms >= min && ms <= MAX_DURATION_MS))
      throw new InvalidLockRequestError(`${name} must be between ${min} and ${MAX_DURATION_MS}, got ${ms}`);
  return keys.length === 1 ? keys : [...new Set(keys)].sort();
}

const KEY_RULE = `a lock key must be a string of 1 to ${MAX_KEY_LENGTH} characters without NUL`;

function isKey(key: unknown): boolean {
  return typeof key === 'string' && key !== '' && key.length <= MAX_KEY_LENGTH && !key.includes('\0');
}
