/** `since` of a request that tries once and must not be queued in the store. */
export const WILL_NOT_WAIT = -1;

export interface AcquireRequest {
  /** Sorted, without duplicates, at least one. */
  readonly keys: readonly string[];
  /** `<process>.<number>`, new after every attempt with an unknown outcome. */
  readonly owner: string;
  readonly leaseMs: number;
  /** The highest token that this process has seen: the new one is higher, whatever the store's clock says. */
  readonly floor: bigint;
  /** Tokens above the first that the holder may hand to local successors without asking the store. */
  readonly spare: number;
  /** Processes whose locks this request takes over, separated by spaces (LockOptions.heirOf); '' if none. */
  readonly heirOf: string;
  /** When this request began to wait (µs, the store's clock), 0 if it did not yet, or WILL_NOT_WAIT. */
  readonly since: number;
  /** The driver settles within this time, and releases an acquire whose outcome it does not know. */
  readonly timeoutMs: number;
}

/** Whether a request with this `heirOf` takes over what the owner, `<process>.<number>`, holds. */
export function isHeirOf(heirOf: string, owner: string): boolean {
  return heirOf !== '' && heirOf.split(' ').includes(owner.slice(0, owner.indexOf('.')));
}

export interface Granted {
  readonly isGranted: true;
  readonly token: bigint;
  /** Whether other processes wait for one of the keys. */
  readonly isContended: boolean;
  /** The driver that answered: a lease is renewed and released where it was granted. */
  readonly driver: LockDriver;
}

export interface Busy {
  readonly isGranted: false;
  readonly since: number;
  /** After this many ms the first of the blockers will have expired. */
  readonly retryMs: number;
  readonly blocked: readonly string[];
  readonly driver: LockDriver;
}

/** The data for a release or a renewal. */
export interface Holding {
  readonly keys: readonly string[];
  readonly owner: string;
  readonly since: number;
  /** Release: the last token used, 0 if none is known. Renewal: the highest that may still be handed out. */
  readonly token: bigint;
}

export type Renewal = 'renewed' | 'contended' | 'lost';

export interface StoredLock {
  readonly key: string;
  readonly owner: string;
  readonly ageMs: number;
  readonly ttlMs: number;
  readonly waiters: number;
}

export interface LockSignals {
  /** It is this waiter's turn. Without an owner: signals may have been lost, and every waiter tries again. */
  wake(owner?: string): void;
  /** Another process waits for what this owner holds. */
  contend(owner: string): void;
}

export interface LockDriver {
  readonly name: string;
  /** Whether a release that was sent is executed before an acquire of this process that is sent after it. */
  readonly isOrdered: boolean;
  /** The part of a lease by which clocks may drift apart while it runs. */
  readonly drift: number;
  acquire(request: AcquireRequest): Promise<Granted | Busy>;
  renew(holding: Holding, leaseMs: number): Promise<Renewal>;
  /** If nobody is known to wait for the keys, an ordered driver may let the release travel with its next command. */
  release(holding: Holding, isAwaited?: boolean): Promise<void>;
  /** Whether anyone holds one of the keys, other than the processes named as in AcquireRequest. */
  isHeld(keys: readonly string[], heirOf?: string): Promise<boolean>;
  list(limit: number): Promise<StoredLock[]>;
  /** Connects and begins to deliver signals. Does not reject: a store that is away shows in the first acquire. */
  start(signals: LockSignals): Promise<void>;
  stop(): Promise<void>;
  /** Why the store is degraded, while a fallback replaces it. */
  degradation?(): string | undefined;
}
