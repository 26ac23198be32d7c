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

  eventsUrl(orderId: string): string {
    return this.publicUrl.of(`/v1/orders/${orderId}/events?token=${this.tokens.issueForEvents(orderId)}`);
  }
}
