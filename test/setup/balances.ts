import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiResponse } from './api-client.js';
import { basket } from './shop.js';

const admin = { key: 'admin' } as const;

let made = 0;

/** A coupon that nobody else uses. */
export async function newCoupon(api: ApiClient, rules: Readonly<Record<string, unknown>> = {}): Promise<string> {
  made += 1;
  const code = `TEST-${made}-${randomUUID().slice(0, 8)}`;
  const takesOff = 'amountOff' in rules ? {} : { percentOff: 10 };
  const answer = await api.put(`/v1/coupons/${code}`, { ...takesOff, ...rules });
  if (answer.status !== 201) throw new Error(`coupon: ${answer.status} ${JSON.stringify(answer.body)}`);
  return code;
}

export async function usesOf(api: ApiClient, code: string): Promise<{ redeemed: number; held: number }> {
  const { redeemed, held } = (await api.get(`/v1/coupons/${code}`, admin)).body;
  return { redeemed, held };
}

/** An account with so much in it. */
export async function newAccount(api: ApiClient, amount: number, customerId?: string): Promise<string> {
  const id = `account-${randomUUID()}`;
  const created = await api.put(`/v1/accounts/${id}`, { currency: 'EUR', customerId });
  if (created.status !== 201) throw new Error(`account: ${created.status} ${JSON.stringify(created.body)}`);
  if (amount !== 0) await enter(api, id, amount);
  return id;
}

export function enter(api: ApiClient, id: string, amount: number): Promise<ApiResponse> {
  return api.post(`/v1/accounts/${id}/entries`, { amount, reason: 'test' }, admin);
}

export interface GiftCard {
  readonly accountId: string;
  readonly code: string;
}

export async function newGiftCard(api: ApiClient, amount: number): Promise<GiftCard> {
  const { status, body } = await api.post('/v1/gift-cards', { amount, currency: 'EUR' }, admin);
  if (status !== 201) throw new Error(`gift card: ${status} ${JSON.stringify(body)}`);
  return body;
}

export async function balanceOf(api: ApiClient, id: string): Promise<{ balance: number; held: number }> {
  const { balance, held } = (await api.get(`/v1/accounts/${id}`, admin)).body;
  return { balance, held };
}

/** A checkout of one unit, with whatever else. */
export function buy(
  api: ApiClient,
  sku: string,
  overrides: Readonly<Record<string, unknown>> = {},
  options: Parameters<ApiClient['post']>[2] = {},
): Promise<ApiResponse> {
  const headers = { prefer: 'wait=25', ...options.headers };
  return api.post('/v1/checkouts', basket(sku, overrides), { ...options, headers });
}
