import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiResponse } from '../../setup/api-client.js';

export interface LedgerItem {
  readonly id: string;
  readonly amount: number;
  readonly refundedAmount: number;
  readonly state: string;
}

/** A SKU of its own per test, at 1,000 a piece. */
export async function newSku(api: ApiClient, onHand = 100): Promise<string> {
  const sku = `pay:${randomUUID()}`;
  const body = { name: 'Thing', unitAmount: 1_000, currency: 'EUR', onHand };
  const answer = await api.put(`/v1/skus/${encodeURIComponent(sku)}`, body);
  if (answer.status !== 201) throw new Error(`no SKU: ${answer.status}`);
  return sku;
}

export function checkOut(
  api: ApiClient,
  sku: string,
  method = 'pm_card_visa',
  options: { quantity?: number; idempotencyKey?: string; prefer?: string } = {},
): Promise<ApiResponse> {
  const body = {
    customer: { id: 'c-1' },
    currency: 'EUR',
    lines: [{ sku, quantity: options.quantity ?? 1 }],
    payment: { method },
  };
  return api.post('/v1/checkouts', body, {
    ...(options.idempotencyKey !== undefined && { idempotencyKey: options.idempotencyKey }),
    headers: { prefer: options.prefer ?? 'wait=20' },
  });
}

export async function ledgerOf(api: ApiClient, orderId: string): Promise<LedgerItem[]> {
  return (await api.get(`/v1/sandbox/charges?orderId=${orderId}`, { key: 'admin' })).body.items;
}

export async function orderOf(api: ApiClient, id: string): Promise<any> {
  return (await api.get(`/v1/orders/${id}`, { key: 'admin' })).body;
}

export async function timelineOf(api: ApiClient, id: string): Promise<{ kind: string; detail: any }[]> {
  return (await api.get(`/v1/orders/${id}/timeline`, { key: 'admin' })).body.items;
}

/** Polls: other test files share the machine, so nothing may depend on how long a thing takes. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>, ms = 25_000): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function orderIn(api: ApiClient, id: string, state: string, ms?: number): Promise<any> {
  return until(
    `order ${state}`,
    async () => {
      const order = await orderOf(api, id);
      return order.state === state && order;
    },
    ms,
  );
}

/** Asserts every invariant; the error names what is wrong. */
export async function expectSound(api: ApiClient): Promise<void> {
  const { status, body } = await api.get('/v1/invariants', { key: 'admin' });
  expect(status).toBe(200);
  expect(body.checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([]);
  expect(body.ok).toBe(true);
}
