import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../platform/http/auth/access-tokens.js';
import { PublicUrl } from '../platform/http/public-url.js';

/** Addresses of an order for browsers. */
@Injectable()
export class OrderLinks {
  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly tokens: AccessTokens,
  ) {}

  /** Valid for an hour from `fromMs` on. A checkout's answer counts from its order, so that a replay is the same answer. */
  eventsUrl(orderId: string, fromMs?: number): string {
    return this.publicUrl.of(`/v1/orders/${orderId}/events?token=${this.tokens.issueForEvents(orderId, fromMs)}`);
  }
}
