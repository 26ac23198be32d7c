import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { messageOf } from '../../common/error-message.js';
import { InvariantsService } from './invariants.service.js';

const EVERY_MS = 60_000;
/** A check reads whole tables: on large ones it pauses longer, so that it never takes more than a twentieth of the time. */
const PAUSE_FACTOR = 20;

/** Keeps the metric fresh. The provider's ledger is looked at by the reconciliation, which reports to the same metric. */
@Injectable()
export class InvariantsJob {
  private readonly logger = new Logger(InvariantsJob.name);
  private isRunning = false;
  private notBefore = 0;

  constructor(private readonly invariants: InvariantsService) {}

  @Interval(EVERY_MS)
  async run(): Promise<void> {
    if (this.isRunning || performance.now() < this.notBefore) return;
    this.isRunning = true;
    const startedAt = performance.now();
    try {
      for (const { name, ok, violations } of await this.invariants.checkDatabase()) {
        if (!ok)
          this.logger.error({ msg: 'an invariant is violated', check: name, violations: violations.slice(0, 5) });
      }
    } catch (error) {
      this.logger.warn(`the invariants could not be checked: ${messageOf(error)}`);
    } finally {
      this.isRunning = false;
      const endedAt = performance.now();
      this.notBefore = endedAt + (endedAt - startedAt) * PAUSE_FACTOR;
    }
  }
}
