/** Covers the way to a node that is slower than the ways seen so far. */
const MARGIN_US = 300;
/** Old observations fade, so one slow answer does not push the estimate ahead for ever. */
const FADING = 0.05;

/**
 * Estimates what the fastest of the nodes' clocks will show when a command arrives. As the floor of a token it makes all
 * nodes mint the same one, which saves a second round; a wrong estimate costs that round and nothing else.
 */
export class NodeClock {
  private offsetUs: number | undefined;

  observe(nodeUs: number, sentAtMs: number): void {
    const offset = nodeUs - sentAtMs * 1_000;
    if (this.offsetUs === undefined || offset > this.offsetUs) this.offsetUs = offset;
    else this.offsetUs += (offset - this.offsetUs) * FADING;
  }

  estimate(nowMs: number): bigint {
    return this.offsetUs === undefined ? 0n : BigInt(Math.round(this.offsetUs + nowMs * 1_000 + MARGIN_US));
  }
}
