import { DomainError } from '../common/domain-error.js';

/** The wait ended before the keys were free. Transient: the same call may succeed later. */
export class LockTimeoutError extends DomainError {
  constructor(keys: readonly string[], waitMs: number) {
    super('LOCK_TIMEOUT', `${describeKeys(keys)} not free within ${waitMs} ms`);
    this.name = 'LockTimeoutError';
  }
}

/** Another process has held some of the keys for longer than the caller is willing to wait. */
export class LockBlockedError extends LockTimeoutError {
  constructor(
    keys: readonly string[],
    waitMs: number,
    readonly blocked: ReadonlySet<string>,
  ) {
    super(keys, waitMs);
    this.name = 'LockBlockedError';
  }
}

/** No store could be reached. The work never runs without the lock. */
export class LockBackendUnavailableError extends DomainError {
  constructor(message: string, options?: ErrorOptions) {
    super('DEPENDENCY_UNAVAILABLE', message, {}, options);
    this.name = 'LockBackendUnavailableError';
  }
}

/** The lease has ended, by its own deadline or because the store gave the key away. */
export class LeaseLostError extends Error {
  readonly code = 'LEASE_LOST';

  constructor(message: string) {
    super(message);
    this.name = 'LeaseLostError';
  }
}

/** A write met a higher fence: another holder acquired the lock after this one. Contains that fence, if known. */
export class FencedOutError extends Error {
  readonly code = 'FENCED_OUT';

  constructor(
    readonly resource: string,
    readonly token: bigint,
    readonly fence?: bigint,
  ) {
    super(
      `token ${token.toString()} was fenced out of ${resource}${fence === undefined ? '' : ` by ${fence.toString()}`}`,
    );
    this.name = 'FencedOutError';
  }
}

/** A mistake of the caller: bad keys or options. */
export class InvalidLockRequestError extends Error {
  readonly code = 'INVALID_LOCK_REQUEST';

  constructor(message: string) {
    super(message);
    this.name = 'InvalidLockRequestError';
  }
}

export function describeKeys(keys: readonly string[]): string {
  const [first = ''] = keys;
  return keys.length === 1 ? `lock ${first}` : `locks ${first} and ${keys.length - 1} more`;
}
