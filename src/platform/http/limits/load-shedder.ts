import { Inject, Injectable, SetMetadata } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DomainError } from '../../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { Metrics } from '../../metrics/metrics.js';

const RETRY_SECONDS = 1;

export const LONG_LIVED_METADATA = 'checkout:long-lived';
/** A stream stays open for minutes: it is limited by its places (StreamLimiter), and no sign of load. */
export const LongLived = () => SetMetadata(LONG_LIVED_METADATA, true);

/**
 * Bounds the requests of storefronts that are under way, and with them every queue behind: a request beyond the limit
 * hears so at once rather than wait until nobody wants its answer. Operators and health checks are never refused here.
 */
@Injectable()
export class LoadShedder {
  private readonly limit: number;
  private inFlight = 0;
  private readonly shed;

  constructor(@Inject(APP_CONFIG) config: AppConfig, metrics: Metrics) {
    this.limit = config.http.maxRequestsInFlight;
    this.shed = metrics.counter('requests_shed_total', 'Requests refused because too many were under way');
    const gauge = metrics.gauge('requests_in_flight', 'Requests of storefronts that are under way on this instance');
    metrics.onScrape(() => gauge.set(this.inFlight));
  }

  admit(reply: FastifyReply): void {
    if (this.inFlight >= this.limit) {
      this.shed.inc();
      const detail = 'The service is at its limit, try again shortly';
      throw new DomainError('DEPENDENCY_UNAVAILABLE', detail, { retryAfter: RETRY_SECONDS });
    }
    this.inFlight += 1;
    reply.raw.once('close', () => {
      this.inFlight -= 1;
    });
  }
}
