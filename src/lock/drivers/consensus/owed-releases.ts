const RETRY_MS = 500;
const MAX_OWED = 10_000;

/**
 * Releases that could not be made because the store was away. Its records outlive that: without this, what was held when
 * it went would stay locked for a whole lease after its return.
 */
export class OwedReleases {
  private readonly owed = new Map<string, () => Promise<unknown>>();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  /** Fails if it cannot be made now; it is made later all the same, and may be made twice. */
  async make(owner: string, release: () => Promise<unknown>): Promise<void> {
    try {
      await release();
    } catch (error) {
      if (this.owed.size < MAX_OWED) this.owed.set(owner, release);
      this.schedule();
      throw error;
    }
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.isStopped || this.timer !== undefined) return;
    this.timer = setTimeout(() => void this.makeAll(), RETRY_MS).unref();
  }

  private async makeAll(): Promise<void> {
    try {
      for (const [owner, release] of this.owed) {
        await release();
        this.owed.delete(owner);
      }
    } catch {
      // still away
    }
    this.timer = undefined;
    if (this.owed.size > 0) this.schedule();
  }
}
