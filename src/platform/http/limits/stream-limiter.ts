import { Inject, Injectable } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { DomainError } from '../../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { Metrics } from '../../metrics/metrics.js';
import type { Caller } from '../auth/caller.js';
import { networkOf, RateLimiter } from './rate-limiter.js';
import { type FullPlace, StreamPlaces } from './stream-places.js';

const RETRY_SECONDS = 5;

/** The caller that wants a stream, and its network. */
export interface StreamCaller {
  readonly caller: Caller;
  readonly address: string;
}

/** Event streams stay open for minutes, so the number of open ones is limited, not the rate of requests. */
@Injectable()
export class StreamLimiter {
  private readonly places: StreamPlaces;
  /** Apart, so that a crowd in front of a seat map leaves the places of those who have ordered. */
  private readonly crowd: StreamPlaces;
  private readonly crowdOpen: Gauge;
  private readonly open: Gauge;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly limiter: RateLimiter,
    metrics: Metrics,
  ) {
    const { limit, perOrder, perCaller, crowdLimit } = config.eventStream;
    this.places = new StreamPlaces({ total: limit, perSubject: perOrder, perCaller });
    this.crowd = new StreamPlaces({ total: crowdLimit, perSubject: crowdLimit, perCaller });
    this.crowdOpen = metrics.gauge('crowd_streams_open', 'Clients that follow a seat map or a ticket on this instance');
    this.open = metrics.gauge('event_streams_open', 'Clients that follow an order on this instance');
  }

  /** Returns the function that gives the place back. */
  admit(orderId: string, caller: StreamCaller): () => void {
    const place = this.places.take(orderId, nameOf(caller));
    if (typeof place === 'string') throw this.refusal(place);
    this.open.set(this.places.taken);
    return () => {
      place();
      this.open.set(this.places.taken);
    };
  }

  /** A place among those who follow what everybody may: a seat map, or the queue of a sale. */
  admitToCrowd(subject: string, network: string): () => void {
    const place = this.crowd.take(subject, network);
    if (typeof place === 'string') throw this.refusal(place);
    this.crowdOpen.set(this.crowd.taken);
    return () => {
      place();
      this.crowdOpen.set(this.crowd.taken);
    };
  }

  /** No place is left for anybody: the process is full, or stopping. */
  unavailable(): DomainError {
    const detail = 'Too many event streams are open, try again shortly';
    return new DomainError('DEPENDENCY_UNAVAILABLE', detail, { retryAfter: RETRY_SECONDS });
  }

  private refusal(full: FullPlace): DomainError {
    const { perOrder, perCaller } = this.config.eventStream;
    switch (full) {
      case 'subject':
        return this.limiter.refuse('streams', RETRY_SECONDS, `At most ${perOrder} event streams may follow one order`);
      case 'caller':
        return this.limiter.refuse(
          'streams',
          RETRY_SECONDS,
          `At most ${perCaller} event streams may be open per caller`,
        );
      case 'total':
        return this.unavailable();
    }
  }
}

/** All browsers of a shop share its key, so a customer is counted by name and others by address. */
export function nameOf({ caller: { customerId, client }, address }: StreamCaller): string {
  return customerId === undefined ? `${client}|${networkOf(address)}` : `customer|${customerId}`;
}
