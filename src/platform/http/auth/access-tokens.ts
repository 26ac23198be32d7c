import { Inject, Injectable } from '@nestjs/common';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import type { Caller } from './caller.js';

/** What a token may be for. */
export type TokenKind = 'order' | 'reservation' | 'sale-ticket' | 'sale-ticket-events';

/** An HMAC of the resource's id: nothing is stored, and a replayed answer can contain it again. */
@Injectable()
export class AccessTokens {
  private readonly secret: string;

  constructor(@Inject(APP_CONFIG) config: AppConfig) {
    if (!config.auth.accessTokenSecret) throw new Error('ACCESS_TOKEN_SECRET is not resolved');
    this.secret = config.auth.accessTokenSecret;
  }

  issue(kind: TokenKind, id: string): string {
    return createHmac('sha256', this.secret).update(`${kind}:${id}`).digest('base64url');
  }

  /** Whether the caller may see the resource: an admin, its customer, or a caller with its token. */
  canRead(caller: Caller, kind: TokenKind, id: string, customerId?: string | null): boolean {
    if (caller.scope === 'admin') return true;
    if (customerId != null && caller.customerId === customerId) return true;
    return caller.accessToken !== undefined && this.isFor(caller.accessToken, kind, id);
  }

  isFor(token: string, kind: TokenKind, id: string): boolean {
    const expected = Buffer.from(this.issue(kind, id));
    const given = Buffer.from(token);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
