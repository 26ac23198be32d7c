import type { ApiClient, ApiResponse } from '../../setup/api-client.js';

/** A SKU with plenty of stock. */
export async function stock(api: ApiClient, sku = 'EVENT-1'): Promise<void> {
  const answer = await api.put(`/v1/skus/${sku}`, {
    name: 'A thing',
    unitAmount: 1_000,
    currency: 'EUR',
    onHand: 100_000,
  });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
}

export function buy(
  api: ApiClient,
  method = 'pm_card_visa',
  options: { sku?: string; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  const { sku = 'EVENT-1', ...rest } = options;
  return api.post(
    '/v1/checkouts',
    { customer: {}, currency: 'EUR', lines: [{ sku, quantity: 1 }], payment: { method } },
    rest,
  );
}
