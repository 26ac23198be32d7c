import type { ApiClient, ApiResponse } from './api-client.js';
import { buy } from './balances.js';
import { outcomeOf } from './shop.js';

/** A checkout of one unit whose card is only authorised. */
export function authorize(
  api: ApiClient,
  sku: string,
  payment: Readonly<Record<string, unknown>> = {},
  overrides: Readonly<Record<string, unknown>> = {},
  options: Parameters<ApiClient['post']>[2] = {},
): Promise<ApiResponse> {
  return buy(api, sku, { ...overrides, payment: { method: 'pm_card_visa', capture: 'manual', ...payment } }, options);
}

/** The order of such a checkout, which is confirmed. */
export async function authorizedOrder(api: ApiClient, sku: string, payment = {}, overrides = {}): Promise<any> {
  const { status, body } = await authorize(api, sku, payment, overrides);
  if (status !== 201) throw new Error(`authorise: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Asks again with one key until it is told what came of it. */
export function capture(api: ApiClient, orderId: string, amount?: number): Promise<ApiResponse> {
  const body = { reason: 'test', ...(amount !== undefined && { amount }) };
  return act(api, orderId, 'capture', body);
}

export function cancel(api: ApiClient, orderId: string): Promise<ApiResponse> {
  return act(api, orderId, 'cancel', { reason: 'test' });
}

export function refund(api: ApiClient, orderId: string, amount?: number): Promise<ApiResponse> {
  return act(api, orderId, 'refunds', { reason: 'test', ...(amount !== undefined && { amount }) });
}

function act(api: ApiClient, orderId: string, verb: string, body: object): Promise<ApiResponse> {
  const headers = { prefer: 'wait=25' };
  return outcomeOf(`${verb} of ${orderId}`, (idempotencyKey) =>
    api.post(`/v1/orders/${orderId}/${verb}`, body, { key: 'admin', headers, idempotencyKey }),
  );
}
