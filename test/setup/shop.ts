import { randomUUID } from 'node:crypto';
import { newId } from '../../src/common/id.js';
import type { ApiClient, ApiResponse } from './api-client.js';
import { eventually } from './eventually.js';
import type { TestDatabase } from './test-database.js';

export interface LedgerItem {
  readonly id: string;
  readonly amount: number;
  readonly capturedAmount: number;
  readonly refundedAmount: number;
  readonly state: string;
}

const admin = { key: 'admin' } as const;

/** Puts a SKU on the shelf. */
export async function shelve(
  api: ApiClient,
  sku: string,
  onHand: number,
  unitAmount = 1_000,
  overrides: Readonly<{ name?: string; currency?: string; group?: string }> = {},
): Promise<string> {
  const body = { name: `Test ${sku}`, unitAmount, currency: 'EUR', onHand, ...overrides };
  const answer = await api.put(`/v1/skus/${encodeURIComponent(sku)}`, body);
  if (answer.status !== 201) throw new Error(`SKU ${sku}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return sku;
}

/** A SKU that nobody else uses. */
export function newSku(
  api: ApiClient,
  onHand = 100,
  { unitAmount, ...rest }: { unitAmount?: number } & Parameters<typeof shelve>[4] = {},
): Promise<string> {
  return shelve(api, newSkuId(), onHand, unitAmount, rest);
}

/** In order of their making. */
export function newSkuId(prefix = 'sku'): string {
  return `${prefix}-${newId()}`;
}

export function basket(sku: string, overrides: Readonly<Record<string, unknown>> = {}) {
  return { currency: 'EUR', lines: [{ sku, quantity: 1 }], payment: { method: 'pm_card_visa' }, ...overrides };
}

export interface CheckOutOptions {
  readonly quantity?: number;
  readonly idempotencyKey?: string;
  readonly prefer?: string;
}

/** Waits for the outcome as long as it may: on a busy machine it takes its time. */
export function checkOut(
  api: ApiClient,
  sku: string,
  method = 'pm_card_visa',
  { quantity = 1, idempotencyKey = randomUUID(), prefer = 'wait=25' }: CheckOutOptions = {},
): Promise<ApiResponse> {
  const body = basket(sku, { customer: { id: 'c-1' }, lines: [{ sku, quantity }], payment: { method } });
  return api.post('/v1/checkouts', body, { idempotencyKey, headers: { prefer } });
}

/** Asks again, with one key, as a storefront does, until it is told what came of it. */
export function outcomeOf(
  what: string,
  ask: (idempotencyKey: string) => Promise<ApiResponse | undefined>,
  idempotencyKey: string = randomUUID(),
): Promise<ApiResponse> {
  return eventually(`an outcome of "${what}"`, () => ask(idempotencyKey), {
    until: (answer) => answer !== undefined && isOutcome(answer),
  });
}

function isOutcome({ status, body }: ApiResponse): boolean {
  if (status === 202 || body.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
  return status < 500 || body.orderId !== undefined;
}

/** In this database an order with `metadata.refuse` can be paid, but not confirmed: it has to be paid back. */
export async function refuseConfirmations(database: TestDatabase): Promise<void> {
  await database.query(
    `ALTER TABLE orders ADD CONSTRAINT test_refuses CHECK (NOT (state = 'CONFIRMED' AND metadata ? 'refuse'))`,
  );
}

/** What the provider has of an order: what it took, and what it still keeps. */
export async function chargesOf(database: TestDatabase, orderId: string): Promise<{ charges: number; net: number }> {
  const [row] = await database.query<{ charges: number; net: number }>(
    `SELECT count(*)::int AS charges, coalesce(sum(coalesce(captured_amount, amount) - refunded_amount), 0)::int AS net
     FROM sandbox.charges WHERE order_id = $1 AND state IN ('CAPTURED', 'REFUNDED')`,
    [orderId],
  );
  return row!;
}

export async function ledgerOf(api: ApiClient, orderId: string): Promise<LedgerItem[]> {
  return (await api.get(`/v1/sandbox/charges?orderId=${orderId}`, admin)).body.items;
}

export async function orderOf(api: ApiClient, id: string): Promise<any> {
  return (await api.get(`/v1/orders/${id}`, admin)).body;
}

export async function timelineOf(api: ApiClient, id: string): Promise<{ kind: string; detail: any }[]> {
  return (await api.get(`/v1/orders/${id}/timeline`, admin)).body.items;
}

export function orderIn(api: ApiClient, id: string, state: string): Promise<any> {
  return eventually(`order ${id} is ${state}`, () => orderOf(api, id), { until: (order) => order.state === state });
}

export function orderEnded(api: ApiClient, id: string): Promise<any> {
  return eventually(`order ${id} has ended`, () => orderOf(api, id), { until: (order) => order.state !== 'PENDING' });
}

/** Asserts every invariant; the error names what is wrong. */
export async function expectSound(api: ApiClient): Promise<void> {
  const { status, body } = await api.get('/v1/invariants', admin);
  expect(status).toBe(200);
  expect(body.checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([]);
  expect(body.ok).toBe(true);
}
