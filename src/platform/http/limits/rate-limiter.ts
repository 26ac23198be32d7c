import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { Metrics } from '../../metrics/metrics.js';
import { networkOf } from './network.js';
import { WINDOW_MS, WindowCounters } from './window-counters.js';

/** Every kind of limit. */
const LIMITS = [
  'requests',
  'strangers',
  'declines_card',
  'declines_customer',
  'declines_address',
  'declines_all',
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
