/**
 * A signal for each attempt. It aborts at the attempt's own deadline, or when the instance stops. AbortSignal.any is
 * not used, because on Node 20 a long-lived signal keeps a trace of every signal derived from it.
 */
export class AttemptDeadlines {
  private readonly running = new Set<AbortController>();
  private isOver = false;

  get isStopped(): boolean {
    return this.isOver;
  }

  stop(): void {
    this.isOver = true;
    for (const controller of this.running) controller.abort(new Error('the instance is shutting down'));
  }

  /** Work that fails because of an abort fails with the reason of the abort. */
  async within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new Error(`no answer within ${ms} ms`)), ms);
    this.running.add(controller);
    try {
      return await work(controller.signal);
    } catch (error) {
      const reason: unknown = controller.signal.reason;
      throw reason instanceof Error ? reason : error;
    } finally {
      clearTimeout(timer);
      this.running.delete(controller);
    }
  }
}
