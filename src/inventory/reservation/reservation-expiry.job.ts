import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { Loops } from '../../platform/loops/loops.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { ReservationExpiryService } from './reservation-expiry.service.js';

/** Releases abandoned holds, on every instance. A sweep continues until nothing is due, and then rests. */
@Injectable()
export class ReservationExpiryJob {
  private readonly logger = new Logger(ReservationExpiryJob.name);
  private readonly expired: Counter;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly expiry: ReservationExpiryService,
    loops: Loops,
    metrics: Metrics,
  ) {
    this.expired = metrics.counter('reservations_expired_total', 'Holds whose time was over and that were freed');
    const everyMs = config.reservation.sweepSeconds * 1_000;
    loops.schedule({
      name: 'reservation-expiry',
      pace: { firstMs: everyMs, minMs: everyMs, maxMs: everyMs },
      isVital: true,
      round: async (signal) => (await this.run(signal)) > 0,
    });
  }

  /** The number of released holds. */
  async run(signal?: AbortSignal): Promise<number> {
    const startedAt = performance.now();
    let total = 0;
    for (let isMore = true; isMore && !signal?.aborted;) {
      const { freed, isFull } = await this.expiry.expireBatch();
      total += freed;
      this.expired.inc(freed);
      isMore = isFull && freed > 0; // nothing of a full batch was released: another instance is working on it
    }
    if (total > 0) {
      const ms = Math.round(performance.now() - startedAt);
      this.logger.log({ msg: 'freed expired reservations', reservations: total, ms });
    }
    return total;
  }
}
