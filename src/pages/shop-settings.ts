import type { AppConfig } from '../platform/config/app-config.js';

/** What the shop has to know before it can call the API. */
export interface ShopSettings {
  readonly apiKey: string;
  /** Where links in answers lead; the browser has to be there to follow an order. */
  readonly url: string;
  /** Whether customers may have tokens (JWT) of their own, and see all their orders with them. */
  readonly hasCustomerTokens: boolean;
  /** Whether the demo's flash sale can be opened: not in production, not even with the sandbox. */
  readonly hasDrop: boolean;
}

/** Of several clients the one named `shop`, else the first: limits and audits then tell the page from other storefronts. */
export function toShopSettings(
  { auth, isProduction }: Pick<AppConfig, 'auth' | 'isProduction'>,
  url: string,
): ShopSettings {
  const key = auth.storefrontKeys.find(({ name }) => name === 'shop') ?? auth.storefrontKeys[0];
  return {
    apiKey: key?.secret ?? '',
    url,
    hasCustomerTokens: auth.jwtSecret !== undefined || auth.jwksUrl !== undefined,
    hasDrop: !isProduction,
  };
}
