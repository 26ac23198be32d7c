import type { ApiClient } from './api-client.js';
import type { TestDatabase } from './test-database.js';

/** Puts a SKU on the shelf. */
export async function shelve(api: ApiClient, sku: string, onHand: number, unitAmount = 1_000): Promise<void> {
  const answer = await api.put(`/v1/skus/${sku}`, { name: `Test ${sku}`, unitAmount, currency: 'EUR', onHand });
  if (answer.status !== 201) throw new Error(`SKU ${sku}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

export function basket(sku: string, overrides: Readonly<Record<string, unknown>> = {}) {
  return { currency: 'EUR', lines: [{ sku, quantity: 1 }], payment: { method: 'pm_card_visa' }, ...overrides };
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
    `SELECT count(*)::int AS charges, coalesce(sum(amount - refunded_amount), 0)::int AS net
     FROM sandbox.charges WHERE order_id = $1 AND state IN ('CAPTURED', 'REFUNDED')`,
    [orderId],
  );
  return row!;
}
