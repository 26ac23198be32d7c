import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { PublicUrl } from '../platform/http/public-url.js';
import type { CheckoutBody } from './checkout.dto.js';

/** What a caller may ask for, as far as the body alone decides. */
@Injectable()
export class CheckoutTerms {
  private readonly areCustomersProven: boolean;

  constructor(
    @Inject(APP_CONFIG) { auth }: AppConfig,
    private readonly publicUrl: PublicUrl,
  ) {
    this.areCustomersProven = auth.jwtSecret !== undefined || auth.jwksUrl !== undefined;
  }

  assertAllowed({ customer, returnUrl }: CheckoutBody, caller: Caller): void {
    // A storefront key may be in every browser: where customers can prove who they are, it vouches for nobody.
    const isClaimed = customer.id !== undefined && customer.id !== caller.customerId;
    if (isClaimed && caller.scope === 'storefront' && this.areCustomersProven)
      throw new DomainError('FORBIDDEN', 'customer.id must be the subject of the customer’s own JWT');
    if (returnUrl !== undefined && !this.publicUrl.mayReturnTo(returnUrl)) {
      const message = 'must be a page of an origin that the service knows (RETURN_URL_ORIGINS, CORS_ORIGINS)';
      throw new DomainError('VALIDATION_FAILED', `returnUrl: ${message}`, { errors: [{ path: 'returnUrl', message }] });
    }
  }
}
