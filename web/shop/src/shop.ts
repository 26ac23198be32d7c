import { createStorefront, type Storefront } from '@checkout-saga/client';
import { createContext, use } from 'react';
import { Basket } from './basket/basket.js';
import { observedFetch } from './connection.js';
import { customerToken } from './orders/customer-token.js';
import type { ShopSettings } from './settings.js';

/** What every view of the shop may use. */
export interface Shop {
  readonly client: Storefront;
  readonly basket: Basket;
  readonly settings: ShopSettings;
}

export function createShop(settings: ShopSettings): Shop {
  const client = createStorefront({
    url: location.origin,
    apiKey: settings.apiKey,
    storage: localStorage,
    customerToken: () => customerToken.get() ?? undefined,
    fetch: observedFetch,
  });
  return { client, basket: new Basket(client), settings };
}

export const ShopContext = createContext<Shop | null>(null);

export function useShop(): Shop {
  const shop = use(ShopContext);
  if (!shop) throw new Error('useShop outside of the shop');
  return shop;
}
