/** How long an offset is used. It bounds the error after the wall clock was set; fewer changes keep spans nested. */
const ANCHORED_MS = 10_000;

/** Wall-clock times of moments that were measured by the monotonic clock, with its resolution. */
export class SpanClock {
  private anchoredAt = Number.NEGATIVE_INFINITY;
  private offset = 0;

  /** Milliseconds since 1970. */
  now(): number {
    return this.at(performance.now());
  }

  at(monotonic: number): number {
    const now = performance.now();
    if (now - this.anchoredAt > ANCHORED_MS) {
      this.anchoredAt = now;
      this.offset = Date.now() - now;
    }
    return this.offset + monotonic;
  }
}
