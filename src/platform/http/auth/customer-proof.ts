import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import type { Caller } from './caller.js';

/** A storefront key may be in every browser: where customers can prove who they are, it vouches for nobody. */
@Injectable()
export class CustomerProof {
  private readonly isPossible: boolean;

  constructor(@Inject(APP_CONFIG) { auth }: AppConfig) {
    this.isPossible = auth.jwtSecret !== undefined || auth.jwksUrl !== undefined;
  }

  /** Throws FORBIDDEN where the id in a body is not that of the caller's own JWT, and had to be. */
  assertMayName(customerId: string | undefined, caller: Caller): void {
    const isClaimed = customerId !== undefined && customerId !== caller.customerId;
    if (isClaimed && caller.scope === 'storefront' && this.isPossible)
      throw new DomainError('FORBIDDEN', 'customer.id must be the subject of the customer’s own JWT');
  }
}
