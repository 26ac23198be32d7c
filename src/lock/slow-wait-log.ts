import type { Logger } from '@nestjs/common';
import { describeKeys } from './lock-errors.js';

/** A wait that is worth a line. */
export const SLOW_WAIT_MS = 100;
const INTERVAL_MS = 1_000;

/** Warns of long waits, at most once a second: contention on one key would otherwise write a line per buyer. */
export class SlowWaitLog {
  private nextAt = 0;
  private suppressed = 0;

  constructor(private readonly logger: Pick<Logger, 'warn'>) {}

  note(keys: readonly string[], waitedMs: number): void {
    const now = performance.now();
    if (now < this.nextAt) {
      this.suppressed += 1;
      return;
    }
    const others = this.suppressed > 0 ? `; ${this.suppressed} more slow waits since the last warning` : '';
    this.logger.warn(`waited ${Math.round(waitedMs)} ms for ${describeKeys(keys)}${others}`);
    this.nextAt = now + INTERVAL_MS;
    this.suppressed = 0;
  }
}
