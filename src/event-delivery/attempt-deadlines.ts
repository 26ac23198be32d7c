/**
 * A signal for each attempt, which aborts at the attempt's own deadline, or with all others when the instance stops. Not
 * AbortSignal.any: on Node 20 a signal that outlives the attempts keeps a trace of every one of them.
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

  /** What fails because it was aborted fails with the reason for that. */
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
