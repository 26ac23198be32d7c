import type pg from 'pg';
import { KEYS } from '../test/setup/app-process.js';

interface InvariantsReport {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly violations: unknown }[];
}

/** The service's own report of its invariants, and the first three of them again in separate SQL. */
export async function violationsOf(base: string, client: pg.Client): Promise<string[]> {
  const found: string[] = [];
  for (const [name, sql] of Object.entries(CHECKS)) {
    const { rows } = await client.query(sql);
    if (rows.length > 0) found.push(`${name}: ${JSON.stringify(rows.slice(0, 5))}`);
  }
  const response = await fetch(`${base}/v1/invariants`, { headers: { 'x-api-key': KEYS.ADMIN_API_KEY } });
  if (response.status === 404) return found;
  const report = (await response.json()) as InvariantsReport;
  const failed = report.checks.filter((check) => !check.ok);
  return [...found, ...failed.map((check) => `${check.name}: ${JSON.stringify(check.violations).slice(0, 500)}`)];
}

const CHECKS: Readonly<Record<string, string>> = {
  'reserved = sum of HELD lines, within onHand': `
    SELECT s.sku, s.on_hand, s.reserved, coalesce(h.held, 0) AS held
    FROM skus s
    LEFT JOIN (SELECT l.sku, sum(l.quantity) AS held FROM reservation_lines l JOIN reservations r ON r.id = l.reservation_id
               WHERE r.state = 'HELD' GROUP BY l.sku) h ON h.sku = s.sku
    WHERE s.reserved <> coalesce(h.held, 0) OR s.reserved < 0 OR s.reserved > s.on_hand LIMIT 5`,
  'initial + adjustments + restocks - committed = onHand': `
    SELECT s.sku, s.on_hand, m.moved, c.committed
    FROM skus s
    LEFT JOIN (SELECT sku, sum(delta) AS moved FROM stock_movements GROUP BY sku) m ON m.sku = s.sku
    LEFT JOIN (SELECT l.sku, sum(l.quantity) AS committed FROM reservation_lines l JOIN reservations r ON r.id = l.reservation_id
               WHERE r.state = 'COMMITTED' GROUP BY l.sku) c ON c.sku = s.sku
    WHERE s.on_hand <> coalesce(m.moved, 0) - coalesce(c.committed, 0) LIMIT 5`,
  'every CONFIRMED order is paid once: a CAPTURED payment and the credit taken are its total': `
    SELECT o.id, o.total, p.state, p.amount, c.credit FROM orders o LEFT JOIN payments p ON p.order_id = o.id
    LEFT JOIN (SELECT order_id, sum(amount) AS credit FROM credit_holds WHERE state = 'TAKEN' GROUP BY order_id) c ON c.order_id = o.id
    WHERE o.state = 'CONFIRMED' AND (p.state IS DISTINCT FROM 'CAPTURED' OR p.amount + coalesce(c.credit, 0) <> o.total) LIMIT 5`,
};
