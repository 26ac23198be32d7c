/** Who stands in the queue of a key, and since when (µs). */
export interface Waiter {
  readonly owner: string;
  readonly since: number;
}

interface Common {
  /** The highest token that was handed out for the key, or set aside for its holder. */
  readonly token: bigint;
  readonly waiting: readonly Waiter[];
}

interface Taken extends Common {
  readonly owner: string;
  readonly leaseMs: number;
  /** Rises with every renewal, and with nothing else: whoever joins the queue changes the record, and extends no lease. */
  readonly beat: number;
}

/** What the store keeps of a key: nobody holds it, somebody holds it, or it is kept for the waiter whose turn it is. */
export type LockRecord =
  | (Common & { readonly state: 'free' })
  | (Taken & { readonly state: 'held'; readonly acquiredUs: number })
  | (Taken & { readonly state: 'kept'; readonly since: number });

/** A record as it was read. No two writes of a key have the same version. */
export interface Versioned {
  readonly record: LockRecord;
  readonly version: string;
}

/** Lands only if the key still has this version; undefined: if it does not exist. */
export interface Change {
  readonly key: string;
  readonly version: string | undefined;
  readonly record: LockRecord;
}

/** Short names: a record is written with every lock. */
interface Stored {
  readonly s: LockRecord['state'];
  readonly t: string;
  readonly o?: string;
  readonly l?: number;
  readonly b?: number;
  /** held: since when it is held; kept: since when its waiter waits */
  readonly a?: number;
  readonly w?: readonly (readonly [string, number])[];
}

export function encodeRecord(record: LockRecord): string {
  const { state: s, waiting } = record;
  const w = waiting.length > 0 ? { w: waiting.map(({ owner, since }) => [owner, since]) } : {};
  const common = { s, t: record.token.toString(), ...w };
  if (record.state === 'free') return JSON.stringify(common);
  const a = record.state === 'held' ? record.acquiredUs : record.since;
  return JSON.stringify({ ...common, o: record.owner, l: record.leaseMs, b: record.beat, a });
}

export function decodeRecord(text: string): LockRecord {
  const { s, t, o: owner = '', l: leaseMs = 0, b: beat = 0, a = 0, w = [] } = JSON.parse(text) as Stored;
  const common = { token: BigInt(t), waiting: w.map(([name, since]) => ({ owner: name, since })) };
  switch (s) {
    case 'free':
      return { ...common, state: s };
    case 'held':
      return { ...common, state: s, owner, leaseMs, beat, acquiredUs: a };
    case 'kept':
      return { ...common, state: s, owner, leaseMs, beat, since: a };
  }
}

/** In the order of arrival; whoever waits already keeps its place. */
export function withWaiter(waiting: readonly Waiter[], waiter: Waiter): readonly Waiter[] {
  if (waiting.some(({ owner }) => owner === waiter.owner)) return waiting;
  const index = waiting.findIndex(({ since }) => since > waiter.since);
  return index < 0 ? [...waiting, waiter] : waiting.toSpliced(index, 0, waiter);
}

export function withoutWaiter(waiting: readonly Waiter[], owner: string): readonly Waiter[] {
  return waiting.some((waiter) => waiter.owner === owner) ? waiting.filter((each) => each.owner !== owner) : waiting;
}
