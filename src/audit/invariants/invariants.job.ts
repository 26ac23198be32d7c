import { Injectable, Logger } from '@nestjs/common';
import { Loops } from '../../platform/loops/loops.js';
import { InvariantsService } from './invariants.service.js';

const EVERY_MS = 60_000;
/** A check reads whole tables, so it rests in proportion and never takes more than a twentieth of the time. */
const PACE = { firstMs: EVERY_MS, minMs: EVERY_MS, maxMs: EVERY_MS, restFactor: 20 };
const DEADLINE_MS = 10 * 60_000;

/** Keeps the metric current. The reconciliation compares the provider's ledger and reports to the same metric. */
@Injectable()
export class InvariantsJob {
  private readonly logger = new Logger(InvariantsJob.name);

  constructor(
    private readonly invariants: InvariantsService,
    loops: Loops,
  ) {
    loops.schedule({ name: 'invariants', pace: PACE, deadlineMs: DEADLINE_MS, round: () => this.check() });
  }

  private async check(): Promise<void> {
    for (const { name, ok, violations } of await this.invariants.checkDatabase()) {
      if (!ok) this.logger.error({ msg: 'an invariant is violated', check: name, violations: violations.slice(0, 5) });
    }
  }
}
