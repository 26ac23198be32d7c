import { ApiClient, ApiResponse } from '../../setup/api-client.js';
import { TestDatabase } from '../../setup/test-database.js';

export function hold(
  api: ApiClient,
  lines: readonly { sku: string; quantity: number }[],
  options: Parameters<ApiClient['post']>[2] = {},
): Promise<ApiResponse> {
  return api.post('/v1/reservations', { currency: 'EUR', lines }, options);
}

export function withToken({ body }: ApiResponse<{ accessToken: string }>): { headers: Record<string, string> } {
  return { headers: { 'x-access-token': body.accessToken } };
}

export async function stockOf(database: TestDatabase, sku: string): Promise<{ onHand: number; reserved: number }> {
  const [row] = await database.query<{ onHand: number; reserved: number }>(
    `SELECT on_hand AS "onHand", reserved FROM skus WHERE sku = $1`,
    [sku],
  );
  if (!row) throw new Error(`there is no ${sku}`);
  return row;
}

/** The SKUs that violate the invariants of stock: reserved within on hand, and on hand equal to the movements. */
export async function violations(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ sku: string }>(`
    SELECT sku FROM skus
    LEFT JOIN (
      SELECT sku, coalesce(sum(quantity) FILTER (WHERE state = 'HELD'), 0) AS held,
        coalesce(sum(quantity) FILTER (WHERE state = 'COMMITTED'), 0) AS sold
      FROM reservation_lines JOIN reservations ON reservations.id = reservation_id GROUP BY sku
    ) AS lines USING (sku)
    LEFT JOIN (SELECT sku, sum(delta) AS moved FROM stock_movements GROUP BY sku) AS ledger USING (sku)
    WHERE reserved < 0 OR reserved > on_hand OR reserved <> coalesce(held, 0)
      OR on_hand <> coalesce(moved, 0) - coalesce(sold, 0)`);
  return rows.map(({ sku }) => sku);
}

/** How many answers there were of each status. */
export function tally(answers: readonly ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
