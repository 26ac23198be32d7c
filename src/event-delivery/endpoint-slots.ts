/** Prevents one slow endpoint from occupying all workers. */
const MAX_PER_ENDPOINT = 20;
const FIRST_RETURN_MS = 500;
const MIN_SPACING_MS = 1;
const MAX_SPACING_MS = 10;
/** The weight of the last attempt in the average. */
const WEIGHT = 0.2;

interface Line {
  taken: number;
  /** When the last delivery in the queue is to ask again. */
  endsAt: number;
  /** The average duration of an attempt. */
  attemptMs: number;
}

/**
 * Limits the concurrent deliveries to an endpoint, and spreads those that find it busy: each asks again later than the
 * one before it, at the pace at which the endpoint answers. With the same pause for all, thousands of deliveries to a
 * silent endpoint would load the database more than the shop does.
 */
export class EndpointSlots {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Zero if a slot was taken, which must then be released; else the time until the next question. */
  take(endpointId: string): number {
    const line = this.lines.get(endpointId) ?? { taken: 0, endsAt: 0, attemptMs: MAX_SPACING_MS * MAX_PER_ENDPOINT };
    this.lines.set(endpointId, line);
    if (line.taken >= MAX_PER_ENDPOINT) return this.lineUp(line);
    line.taken += 1;
    return 0;
  }

  release(endpointId: string, attemptMs: number): void {
    const line = this.lines.get(endpointId);
    if (!line) return;
    line.taken -= 1;
    line.attemptMs += WEIGHT * (attemptMs - line.attemptMs);
    if (line.taken === 0 && line.endsAt <= this.now()) this.lines.delete(endpointId);
  }

  private lineUp(line: Line): number {
    const now = this.now();
    const spacing = Math.min(MAX_SPACING_MS, Math.max(MIN_SPACING_MS, line.attemptMs / MAX_PER_ENDPOINT));
    line.endsAt = Math.max(now + FIRST_RETURN_MS, line.endsAt + spacing);
    return Math.ceil(line.endsAt - now);
  }
}
