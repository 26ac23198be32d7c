import { InvalidLockRequestError } from './lock-errors.js';

export interface LockOptions {
  /** How long to wait for the keys, all layers together. 0 tries once. */
  readonly waitMs: number;
  /** How long the store keeps the lock without a renewal. */
  readonly leaseMs: number;
  /**
   * The longest time for the work. Afterwards the lease is not renewed and ends: work that hangs would otherwise keep
   * its keys for ever.
   */
  readonly workMs?: number;
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

const MAX_KEY_LENGTH = 512;
const MAX_KEYS = 2_000;
const MAX_DURATION_MS = 86_400_000;
/** For work without its own limit. */
export const DEFAULT_WORK_MS = 60_000;

/** Sorted and without duplicates: the same order everywhere, and a key named twice is locked once. */
export function normaliseKeys(keys: readonly string[]): readonly string[] {
  for (const key of keys) assertKey(key);
  if (keys.length > MAX_KEYS) throw new InvalidLockRequestError(`${keys.length} keys in one lock, at most ${MAX_KEYS}`);
  if (keys.length === 1) return keys;
  return [...new Set(keys)].sort();
}

export function assertOptions(options: LockOptions): void {
  assertDuration('leaseMs', options.leaseMs, 1);
  if (!Number.isInteger(options.leaseMs))
    throw new InvalidLockRequestError(`leaseMs must be whole, got ${options.leaseMs}`);
  assertDuration('waitMs', options.waitMs, 0);
  if (options.workMs !== undefined) assertDuration('workMs', options.workMs, 1);
}

function assertKey(key: unknown): void {
  if (typeof key !== 'string' || key === '') throw new InvalidLockRequestError('a lock key must be a non-empty string');
  if (key.length > MAX_KEY_LENGTH) {
    throw new InvalidLockRequestError(`a lock key has at most ${MAX_KEY_LENGTH} characters, got ${key.length}`);
  }
  if (key.includes('\0')) throw new InvalidLockRequestError('a lock key must not contain a NUL character');
}

function assertDuration(name: string, value: number, min: number): void {
  if (!Number.isFinite(value) || value < min || value > MAX_DURATION_MS) {
    throw new InvalidLockRequestError(`${name} must be between ${min} and ${MAX_DURATION_MS}, got ${value}`);
  }
}
