import { Inject, Injectable } from '@nestjs/common';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { PublicUrl } from '../public-url.js';
import type { Caller } from './caller.js';

const EVENTS_SECONDS = 3_600;

/** What a token may be for. */
export type TokenKind = 'order' | 'reservation' | 'sale-ticket' | 'sale-ticket-events';

/** An HMAC of the resource's id: nothing is stored, and a replayed answer can hand it out again. */
@Injectable()
export class AccessTokens {
  private readonly secret: string;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly publicUrl: PublicUrl,
  ) {
    if (!config.auth.accessTokenSecret) throw new Error('ACCESS_TOKEN_SECRET is not resolved');
    this.secret = config.auth.accessTokenSecret;
  }

  issue(kind: TokenKind, id: string): string {
    return this.sign(`${kind}:${id}`);
  }

  /**
   * Where a browser finds the events of an order. The token in it opens them for an hour from `fromMs` on and nothing
   * else, because addresses are seen by many. A checkout's answer counts from its order, so that a replay is the same
   * answer.
   */
  eventsUrl(orderId: string, fromMs = Date.now()): string {
    const endsAt = Math.floor(fromMs / 1_000) + EVENTS_SECONDS;
    const token = `${endsAt}.${this.sign(`order-events:${orderId}:${endsAt}`)}`;
    return this.publicUrl.of(`/v1/orders/${orderId}/events?token=${token}`);
  }

  opensEvents(token: string, orderId: string, nowMs = Date.now()): boolean {
    const [, endsAt, signature] = /^(\d{1,12})\.([\w-]+)$/.exec(token) ?? [];
    if (endsAt === undefined || signature === undefined || Number(endsAt) * 1_000 <= nowMs) return false;
    return isSame(signature, this.sign(`order-events:${orderId}:${endsAt}`));
  }

  /** Whether the caller may see the resource: an admin, its customer, or a caller with its token. */
  canRead(caller: Caller, kind: TokenKind, id: string, customerId?: string | null): boolean {
    if (caller.scope === 'admin') return true;
    if (customerId != null && caller.customerId === customerId) return true;
    return caller.accessToken !== undefined && isSame(caller.accessToken, this.issue(kind, id));
  }

  isFor(token: string, kind: TokenKind, id: string): boolean {
    return isSame(token, this.issue(kind, id));
  }

  private sign(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('base64url');
  }
}

function isSame(token: string, expectedToken: string): boolean {
  const expected = Buffer.from(expectedToken);
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
