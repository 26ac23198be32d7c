import { Inject, Injectable, SetMetadata } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { Metrics } from '../../metrics/metrics.js';
import { WINDOW_MS, WindowCounters } from './window-counters.js';
import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';

/** Every kind of limit. */
const LIMITS = [
  'requests',
  'strangers',
  'declines_card',
  'declines_customer',
  'declines_address',
  'declines_all',
  'gift_card_codes',
  'streams',
] as const;

/** Requests per minute of one client from one address, and wrong keys per minute from one address (RATE_LIMIT). */
@Injectable()
export class RateLimiter {
  private readonly limit: number | undefined;
  private readonly policy: string;
  private readonly limited;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    metrics: Metrics,
    private readonly counters: WindowCounters,
  ) {
    this.limit = config.http.rateLimit;
    this.policy = `"default";q=${this.limit ?? 0};w=${WINDOW_MS / 1_000}`;
    this.limited = metrics.counter('requests_limited_total', 'Requests refused by a limit', ['limit']);
    for (const limit of LIMITS) this.limited.inc({ limit }, 0);
  }

  /**
   * Counts the request and returns the sender's network, or undefined if limits are off. The guard calls it once the
   * client is known; a hook of its own would have to look up the key a second time.
   */
  admit(client: string, request: FastifyRequest, reply: FastifyReply): string | undefined {
    if (this.limit === undefined) return undefined;
    const network = networkOf(request.ip);
    const used = this.counters.add(`${client}|${network}`, 1);
    const seconds = secondsLeft();
    void reply.header('ratelimit-policy', this.policy);
    void reply.header('ratelimit', `"default";r=${Math.max(0, this.limit - used)};t=${seconds}`);
    if (used > this.limit) throw this.refuse('requests', seconds, `At most ${this.limit} requests per minute`);
    return network;
  }

  /** Wrong keys are limited like right ones, so that keys cannot be found by trying. */
  admitStranger(request: FastifyRequest): void {
    if (this.limit === undefined) return;
    const used = this.counters.add(`stranger|${networkOf(request.ip)}`, 1);
    if (used > this.limit) throw this.refuse('strangers', secondsLeft(), 'Too many requests without a valid key');
  }

  refuse(limit: (typeof LIMITS)[number], retryAfter: number, detail: string): DomainError {
    this.limited.inc({ limit });
    return new DomainError('RATE_LIMITED', detail, { retryAfter });
  }
}

function secondsLeft(now = Date.now()): number {
  return Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1_000);
}

/** For senders whose X-Forwarded-For contains no address. They all count as one. */
const UNKNOWN = 'unknown';
/** Some proxies append the port, which differs for every connection. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::\d+)?$/;

/**
 * The address or network that limits count. An IPv6 customer owns a /64 and could use 2^64 addresses, so the /64
 * counts. An IPv4-mapped IPv6 address counts as the IPv4 address.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const { v4, v6 } = WITH_PORT.exec(address)?.groups ?? {};
  const text = v4 ?? v6 ?? address;
  if (!ipaddr.isValid(text)) return UNKNOWN;
  const parsed = ipaddr.process(text);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

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
