import type { LockHold } from './lock-hold.js';

type TicketState = 'waiting' | 'active' | 'parked';

/** One request in the queues of its keys. */
export class Ticket {
  state: TicketState = 'waiting';
  /** The number of queues in which another request is before it. */
  predecessors = 0;
  /** Keys whose queue it has left temporarily. */
  away: readonly string[] = [];
  /** A hold that its predecessor passed on to it. */
  inherited: LockHold | undefined;
  private onWake: (() => void) | undefined;
  private isWoken = false;

  constructor(
    readonly keys: readonly string[],
    readonly leaseMs: number,
    readonly order: number,
  ) {}

  /** Remembered if nothing sleeps yet, so that a wake-up between the check and the sleep is not lost. */
  wake(): void {
    if (this.onWake) this.onWake();
    else this.isWoken = true;
  }

  /** Resolves when woken, when the time is over or when the caller aborts; the caller checks which. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.isWoken || signal?.aborted) {
      this.isWoken = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        this.onWake = undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.onWake = done;
      signal?.addEventListener('abort', done);
    });
  }
}

/**
 * First come, first served per key inside the process, so that one request per process and key asks the store. A
 * request for several keys enters all their queues at once and is served when it is first in all of them. In every
 * queue requests are ordered by their numbers, so they cannot deadlock.
 */
export class LocalQueue {
  private readonly lines = new Map<string, Ticket[]>();

  /** Returns true if the ticket is served at once. */
  enter(ticket: Ticket): boolean {
    for (const key of ticket.keys) {
      const line = this.lines.get(key);
      if (!line) this.lines.set(key, [ticket]);
      else {
        line.push(ticket);
        ticket.predecessors += 1;
      }
    }
    if (ticket.predecessors > 0) return false;
    ticket.state = 'active';
    return true;
  }

  leave(ticket: Ticket): void {
    for (const key of ticket.keys) {
      if (this.lines.get(key)?.length === 1 && !ticket.away.includes(key)) this.lines.delete(key);
      else if (!ticket.away.includes(key)) this.remove(ticket, key);
    }
  }

  /**
   * The ticket has to wait for `blocked`, which another process holds. It lets others pass at its other keys, so that a
   * request for [A, B] with B held elsewhere leaves A free.
   */
  park(ticket: Ticket, blocked: readonly string[]): void {
    if (blocked.length === ticket.keys.length) return;
    const kept = new Set(blocked);
    ticket.state = 'parked';
    ticket.away = ticket.keys.filter((key) => !kept.has(key));
    for (const key of ticket.away) this.remove(ticket, key);
    for (const key of blocked) this.stepBack(ticket, key);
  }

  /**
   * Returns to the queues, ordered by its number but behind the ticket that is being served. True if it is served at
   * once.
   */
  resume(ticket: Ticket): boolean {
    if (ticket.state === 'active') return true;
    for (const key of ticket.away) this.insert(ticket, key);
    ticket.away = [];
    ticket.state = 'waiting';
    return this.activate(ticket);
  }

  /** The next ticket, if it wants exactly the keys of `ticket`, which is being served. */
  successorOf(ticket: Ticket): Ticket | undefined {
    const next = this.second(ticket.keys[0]);
    if (!next || next.state !== 'waiting' || next.keys.length !== ticket.keys.length) return undefined;
    if (next.predecessors !== ticket.keys.length) return undefined;
    return ticket.keys.every((key, index) => next.keys[index] === key && this.second(key) === next) ? next : undefined;
  }

  waitersOf(key: string | undefined): number {
    return key === undefined ? 0 : Math.max(0, (this.lines.get(key)?.length ?? 0) - 1);
  }

  get size(): number {
    return this.lines.size;
  }

  private second(key: string | undefined): Ticket | undefined {
    return key === undefined ? undefined : this.lines.get(key)?.[1];
  }

  private activate(ticket: Ticket): boolean {
    if (ticket.predecessors > 0 || ticket.state !== 'waiting') return false;
    ticket.state = 'active';
    return true;
  }

  private remove(ticket: Ticket, key: string): void {
    const line = this.lines.get(key);
    if (!line) return;
    if (line[0] !== ticket) {
      const index = line.indexOf(ticket);
      if (index > 0) line.splice(index, 1);
      return;
    }
    line.shift();
    const first = line.at(0);
    if (!first) {
      this.lines.delete(key);
      return;
    }
    first.predecessors -= 1;
    if (this.activate(first)) first.wake();
  }

  /**
   * No longer being served, it is ordered by its number again: otherwise an older ticket behind it could deadlock with
   * it.
   */
  private stepBack(ticket: Ticket, key: string): void {
    const line = this.lines.get(key);
    const next = line?.[1];
    if (!line || !next || next.order > ticket.order) return;
    line.shift();
    this.insert(ticket, key);
    next.predecessors -= 1;
    if (this.activate(next)) next.wake();
  }

  private insert(ticket: Ticket, key: string): void {
    const line = this.lines.get(key);
    if (!line) {
      this.lines.set(key, [ticket]);
      return;
    }
    let index = line.findIndex((other) => other.state !== 'active' && other.order > ticket.order);
    if (index < 0) index = line.length;
    const first = line[0];
    line.splice(index, 0, ticket);
    if (index > 0) ticket.predecessors += 1;
    else if (first) first.predecessors += 1;
  }
}

/** Keys that another process has held for suspiciously long, as found by a local request that waits for them. */
export class BlockedKeys {
  private readonly keysOf = new Map<object, readonly string[]>();
  private readonly waitersOf = new Map<string, number>();

  /** Reported by a waiting request; replaces its previous report. */
  add(waiter: object, keys: readonly string[]): void {
    this.remove(waiter);
    this.keysOf.set(waiter, keys);
    for (const key of keys) this.waitersOf.set(key, (this.waitersOf.get(key) ?? 0) + 1);
  }

  /** The request no longer waits. */
  remove(waiter: object): void {
    for (const key of this.keysOf.get(waiter) ?? []) {
      const left = (this.waitersOf.get(key) ?? 1) - 1;
      if (left > 0) this.waitersOf.set(key, left);
      else this.waitersOf.delete(key);
    }
    this.keysOf.delete(waiter);
  }

  includes(key: string): boolean {
    return this.waitersOf.has(key);
  }
}
