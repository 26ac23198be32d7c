import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { APP_CONFIG, type AppConfig } from '../infrastructure/config/app-config.js';
import type { Caller } from '../infrastructure/http/auth/caller.js';
import { RateLimiter, secondsLeft } from '../infrastructure/http/limits/rate-limiter.js';
import { WINDOW_MS, WindowCounters } from '../infrastructure/http/limits/window-counters.js';
import type { CheckoutBody } from './checkout.dto.js';

/** Stolen cards are tested in bulk, and nearly all of them are declined; a shop's own customers mostly pay. */
const SUSPICIOUS_SHARE = 0.5;

/**
 * Card testing: whoever collects DECLINE_LIMIT declines in a minute is refused further checkouts for the rest of it and
 * the whole next one. Counted for the customer, and for the key and address as a whole; the latter only where declines are
 * at least half of its checkouts, or a busy shop that calls from one server would lock itself out.
 */
@Injectable()
export class DeclineLimiter {
  private readonly limit: number;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly counters: WindowCounters,
    private readonly limiter: RateLimiter,
  ) {
    this.limit = config.http.declineLimit;
  }

  /** Throws RATE_LIMITED, or counts the attempt and answers what to call if it ends with a decline. */
  admit(caller: Caller, customer: CheckoutBody['customer']): () => void {
    if (caller.network === undefined) return () => undefined;
    const origin = `${caller.client}|${caller.network}`;
    const attempts = `attempts|${origin}`;
    const ofOrigin = `declines|${origin}`;
    const ofCustomer = bucketOfCustomer(caller, customer);
    this.assertBelow(ofOrigin, attempts);
    if (ofCustomer) this.assertBelow(ofCustomer);
    this.counters.add(attempts, 1);
    const buckets = ofCustomer ? [ofOrigin, ofCustomer] : [ofOrigin];
    for (const bucket of buckets) this.counters.add(bucket, 0); // keeps up with what other instances saw
    return () => buckets.forEach((bucket) => this.counters.add(bucket, 1));
  }

  private assertBelow(bucket: string, attempts?: string): void {
    const declines = this.counters.read(bucket);
    const among = attempts === undefined ? undefined : this.counters.read(attempts);
    const isOver = (window: 'current' | 'previous') =>
      declines[window] >= this.limit && (!among || declines[window] >= among[window] * SUSPICIOUS_SHARE);
    if (!isOver('current') && !isOver('previous')) return;
    const seconds = secondsLeft() + (isOver('current') ? WINDOW_MS / 1_000 : 0);
    throw this.limiter.refuse('declines', seconds, 'Too many declined payments, try again later');
  }
}

/** Without a JWT the customer is only named by the caller: such a name counts for that caller and address alone. */
function bucketOfCustomer(caller: Caller, customer: CheckoutBody['customer']): string | undefined {
  if (caller.customerId !== undefined) return `declines|customer|${digest(caller.customerId)}`;
  const name = customer.id ?? customer.email;
  return name === undefined ? undefined : `declines|${caller.client}|${caller.network ?? ''}|${digest(name)}`;
}

/** Counters live in Redis under their names, which is no place for e-mail addresses. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}
