import { Inject, Injectable, Logger } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import { Loops } from '../platform/loops/loops.js';
import { LockService } from './lock.service.js';

const CHECK_MS = 5_000;
const SHOWN = 5;

/** Reports locks that this instance holds for too long: work that hangs renews its lease for ever and looks healthy. */
@Injectable()
export class HeldLocksJob {
  private readonly logger = new Logger(HeldLocksJob.name);

  constructor(
    private readonly locks: LockService,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    loops: Loops,
  ) {
    loops.schedule({
      name: 'held-locks',
      pace: { firstMs: CHECK_MS, minMs: CHECK_MS, maxMs: CHECK_MS },
      round: () => this.report(),
    });
  }

  private report(): void {
    const limitMs = this.config.lock.heldWarningMs;
    const old = this.locks.held().filter((lock) => lock.ageMs > limitMs);
    if (old.length === 0) return;
    const shown = old
      .slice(0, SHOWN)
      .map(({ key, owner, ageMs, waiters }) => `${key} by ${owner}, ${ageMs} ms, ${waiters} waiting`);
    const more = old.length > SHOWN ? `; and ${old.length - SHOWN} more` : '';
    this.logger.warn(`held for more than ${limitMs} ms: ${shown.join('; ')}${more}`);
  }
}
