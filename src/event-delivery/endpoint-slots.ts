/** One slow endpoint may not take all the workers. */
const MAX_PER_ENDPOINT = 20;
const FIRST_RETURN_MS = 500;
const MIN_SPACING_MS = 1;
const MAX_SPACING_MS = 10;
/** How much the last attempt says about the next. */
const WEIGHT = 0.2;

interface Line {
  taken: number;
  /** When the last in the line comes back. */
  endsAt: number;
  /** How long an attempt takes. */
  attemptMs: number;
}

/**
 * How many deliveries go to an endpoint at once, and when those that find it busy come back: one behind the other, as
 * fast as the endpoint answers. If each came back after the same pause, a crowd of thousands that waits for an endpoint
 * which does not answer would keep the database busier than the shop does.
 */
export class EndpointSlots {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Zero if a slot was taken, which is then to be released; else how long to wait before asking again. */
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
