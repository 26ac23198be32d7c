import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { Redis } from 'ioredis';
import { hash } from 'node:crypto';
import { messageOf } from '../common/error-message.js';
import { RecentMap } from '../common/recent-map.js';
import { amountDue } from '../common/totals.js';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { Closings, WindowCounters } from '../platform/http/limits/window-counters.js';
import { RateLimiter } from '../platform/http/limits/rate-limiter.js';
import { PAYMENT_GATEWAY, type PaymentGateway } from '../payment/gateway/payment-gateway.js';
import type { SagaSnapshot } from '../saga/step-context.js';
import type { CheckoutData, CheckoutSource } from './checkout-data.js';
import type { CheckoutBody } from './checkout.dto.js';

type Limit = 'card' | 'customer' | 'address' | 'all';

/** A counter of declines: a limit, and a name that reveals nothing about the person or card. */
interface Bucket {
  readonly limit: Limit;
  readonly name: string;
}

type Attempt = Pick<CheckoutData, 'method' | 'customer'>;

/** Stolen cards are tested in bulk, and nearly all of them are declined, while a shop's own customers mostly pay. */
const SUSPICIOUS_SHARE = 0.5;
/** Limits on shared names apply only if at least this share of what reached the gateway was declined. */
const SHARED: ReadonlySet<Limit> = new Set(['address', 'all']);
const ALL: Bucket = { limit: 'all', name: 'all' };
const RECENT_CARDS = 10_000;
const MAX_QUESTIONS = 20;
const QUESTION_MS = 1_000;
const NAME_LENGTH = 16;

/**
 * Card testing: a caller with too many declines in a minute is refused further checkouts for the rest of it and the
 * whole next one. Declines are counted by card, by customer, by the buyer's address and in total, when the checkout's
 * saga ends: only what reached the gateway counts, on whichever instance and however late (ADR 12).
 */
@Injectable()
export class DeclineLimiter {
  private readonly logger = new Logger(DeclineLimiter.name);
  private readonly limits: Readonly<Record<Limit, number>>;
  private readonly secret: string;
  /** Its own table: requests that fill a table of counters must not prevent declines from being counted. */
  private readonly counters: WindowCounters;
  private readonly closings: Closings;
  /** Questions to the provider that are under way. */
  private questions = 0;
  private readonly fingerprints = new RecentMap<string, string>(RECENT_CARDS);

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly limiter: RateLimiter,
    @Optional() redis?: Redis,
  ) {
    this.limits = config.http.declineLimits;
    this.secret = config.auth.accessTokenSecret ?? '';
    this.counters = new WindowCounters(redis);
    this.closings = new Closings(redis);
  }

  /** Throws RATE_LIMITED, or returns the data with which the checkout is counted when it ends. */
  async admit(caller: Caller, body: CheckoutBody): Promise<CheckoutSource | undefined> {
    if (caller.network === undefined) return undefined;
    const isProven = caller.customerId !== undefined;
    const source = { address: this.nameOf('address', caller.network), isProven };
    if (this.closings.isEmpty()) return source;
    const customer = { ...body.customer, ...(isProven && { id: caller.customerId }) };
    const { method } = body.payment;
    for (const bucket of this.bucketsOf({ method, customer }, source)) this.assertOpen(bucket);
    if (method !== undefined && (await this.isOtherTokenOfClosedCard(method))) this.assertOpen(this.cardOf(method));
    return source;
  }

  /** A checkout has ended. */
  count({ data, failure }: SagaSnapshot<CheckoutData>): void {
    const { source, charge, method } = data;
    if (!source || !charge || method === undefined || amountDue(data) === 0) return;
    if (failure?.code === 'PAYMENT_DECLINED') {
      if (charge.kind === 'declined' && charge.fingerprint !== undefined)
        this.fingerprints.set(method, charge.fingerprint);
      for (const bucket of this.bucketsOf(data, source)) this.countDecline(bucket);
    } else if (charge.kind === 'captured') {
      this.counters.add(reached(ALL.name), 1);
      // A caller without declines needs no share: a counter for every good buyer would fill the table.
      if (this.counters.read(source.address).current > 0) this.counters.add(reached(source.address), 1);
    }
  }

  private countDecline({ limit, name }: Bucket): void {
    const declines = this.counters.add(name, 1);
    const attempts = SHARED.has(limit) ? this.counters.add(reached(name), 1) : declines;
    if (declines < this.limits[limit] || declines < attempts * SUSPICIOUS_SHARE) return;
    if (this.closings.close(name))
      this.logger.warn(`${declines} declined payments in a minute (limit by ${limit}): further checkouts are refused`);
  }

  private assertOpen({ limit, name }: Bucket): void {
    const seconds = this.closings.secondsClosed(name);
    if (seconds === 0) return;
    throw this.limiter.refuse(`declines_${limit}`, seconds, 'Too many declined payments, try again later');
  }

  /**
   * A card tester makes a new token for every attempt, and only the provider knows which card is behind a token. So it
   * is asked, but only while a card is closed, by a few requests at a time and briefly: an attack must not slow others
   * down. Without an answer the checkout continues, and its outcome is counted.
   */
  private async isOtherTokenOfClosedCard(method: string): Promise<boolean> {
    if (!this.gateway.fingerprintOf || this.fingerprints.has(method) || !this.closings.hasAny('card:')) return false;
    if (this.questions >= MAX_QUESTIONS) return false;
    this.questions += 1;
    try {
      const fingerprint = await this.gateway.fingerprintOf(method, AbortSignal.timeout(QUESTION_MS));
      if (fingerprint !== undefined) this.fingerprints.set(method, fingerprint);
      return fingerprint !== undefined;
    } catch (error) {
      this.logger.debug(`the provider did not say which card a method is: ${messageOf(error)}`);
      return false;
    } finally {
      this.questions -= 1;
    }
  }

  private bucketsOf({ method, customer }: Attempt, source: CheckoutSource): Bucket[] {
    const names = source.isProven
      ? [this.nameOf('proven', customer.id)]
      : [this.nameOf('claimed', customer.id), this.nameOf('email', customer.email?.toLowerCase())];
    return [
      ...(method === undefined ? [] : [this.cardOf(method)]),
      ...names.flatMap((name) => (name === '' ? [] : [{ limit: 'customer', name } as const])),
      { limit: 'address', name: source.address },
      ALL,
    ];
  }

  private cardOf(method: string): Bucket {
    return { limit: 'card', name: this.nameOf('card', this.fingerprints.get(method) ?? method) };
  }

  /**
   * Names are stored in Redis and with the saga, where addresses do not belong; the key prevents finding them by trial.
   */
  private nameOf(kind: string, value: string | undefined): string {
    return value === undefined
      ? ''
      : `${kind}:${hash('sha256', `${this.secret}:${kind}:${value}`, 'base64url').slice(0, NAME_LENGTH)}`;
  }
}

/** Counts what reached the gateway, whatever came of it. */
function reached(name: string): string {
  return `reached:${name}`;
}
