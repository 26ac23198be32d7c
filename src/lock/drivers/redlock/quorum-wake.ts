import type { LockSignals } from '../../lock-driver.js';

/** How long after the first node's wake-up a waiter tries although other nodes have not called yet. */
const PATIENCE_MS = 10;

/** Every node wakes the waiter for itself. Trying after the first would find the others still locked. */
export class QuorumWake implements LockSignals {
  private readonly calls = new Map<string, { count: number; readonly timer: NodeJS.Timeout }>();

  constructor(
    private readonly signals: LockSignals,
    private readonly quorum: number,
  ) {}

  wake(owner?: string): void {
    if (owner === undefined) {
      this.signals.wake();
      return;
    }
    const call = this.calls.get(owner) ?? { count: 0, timer: setTimeout(() => this.deliver(owner), PATIENCE_MS) };
    call.count += 1;
    this.calls.set(owner, call);
    if (call.count >= this.quorum) this.deliver(owner);
  }

  contend(owner: string): void {
    this.signals.contend(owner);
  }

  private deliver(owner: string): void {
    clearTimeout(this.calls.get(owner)?.timer);
    this.calls.delete(owner);
    this.signals.wake(owner);
  }
}
