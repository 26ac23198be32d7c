import { BeforeApplicationShutdown, Inject, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { Counter } from 'prom-client';
import { messageOf } from '../common/error-message.js';
import { APP_CONFIG, type AppConfig } from '../infrastructure/config/app-config.js';
import { Metrics } from '../infrastructure/metrics/metrics.js';
import { ReservationExpiryService } from './reservation-expiry.service.js';

const NAME = 'reservation-expiry';

/** The clean-up of abandoned holds, on every instance. A sweep never overlaps itself, and catches up before it rests. */
@Injectable()
export class ReservationExpiryJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ReservationExpiryJob.name);
  private readonly expired: Counter;
  private running: Promise<number> | undefined;
  private isStopping = false;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly scheduler: SchedulerRegistry,
    private readonly expiry: ReservationExpiryService,
    metrics: Metrics,
  ) {
    this.expired = metrics.counter('reservations_expired_total', 'Holds whose time was over and that were freed');
  }

  onApplicationBootstrap(): void {
    const timer = setInterval(() => void this.run(), this.config.reservation.sweepSeconds * 1_000);
    this.scheduler.addInterval(NAME, timer);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.scheduler.doesExist('interval', NAME)) this.scheduler.deleteInterval(NAME);
    await this.running;
  }

  /** How many holds were freed; joins a sweep that is under way. */
  run(): Promise<number> {
    this.running ??= this.sweep().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async sweep(): Promise<number> {
    const startedAt = performance.now();
    let total = 0;
    try {
      for (let isMore = true; isMore && !this.isStopping;) {
        const { freed, isFull } = await this.expiry.expireBatch();
        total += freed;
        this.expired.inc(freed);
        isMore = isFull && freed > 0; // nothing freed of a full batch: another instance is at it
      }
    } catch (error) {
      this.logger.warn(`the clean-up of reservations stopped early and will try again: ${messageOf(error)}`);
    }
    if (total > 0) {
      const ms = Math.round(performance.now() - startedAt);
      this.logger.log({ msg: 'freed expired reservations', reservations: total, ms });
    }
    return total;
  }
}
