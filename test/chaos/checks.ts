import type pg from 'pg';
import { KEYS } from '../setup/app-process.js';
import { sendHttp } from './http-client.js';

export interface Violation {
  readonly check: string;
  readonly detail: unknown;
}

/** What is still under way: the run is quiet when all of it is 0. */
const UNREST = `
  SELECT (SELECT count(*)::int FROM sagas WHERE state IN ('RUNNING', 'WAITING', 'COMPENSATING')) AS sagas,
         (SELECT count(*)::int FROM reservations WHERE state = 'HELD') AS holds,
         (SELECT count(*)::int FROM orders WHERE state = 'PENDING') AS orders,
         (SELECT count(*)::int FROM sandbox.refunds WHERE due_at IS NOT NULL) AS "late failures",
         (SELECT count(*)::int FROM sandbox.charges WHERE state = 'AUTHORIZED') + (SELECT count(*)::int FROM payments WHERE state = 'AUTHORIZED') AS authorisations,
         (SELECT count(*)::int FROM sandbox.callbacks) + (SELECT count(*)::int FROM webhook_inbox WHERE state = 'RECEIVED') AS callbacks`;

/** The invariants in separate SQL, beside the service's own report: two independent checks of the same rules. */
const CHECKS: Readonly<Record<string, string>> = {
  '1 stock within bounds, reserved = HELD': `
    SELECT s.sku, s.on_hand, s.reserved, coalesce(h.held, 0) AS held FROM skus s
    LEFT JOIN (SELECT l.sku, sum(l.quantity) AS held FROM reservation_lines l JOIN reservations r ON r.id = l.reservation_id
               WHERE r.state = 'HELD' GROUP BY l.sku) h ON h.sku = s.sku
    WHERE s.reserved <> coalesce(h.held, 0) OR s.reserved < 0 OR s.reserved > s.on_hand`,
  '2 movements - committed = onHand': `
    SELECT s.sku, s.on_hand, m.moved, c.committed FROM skus s
    LEFT JOIN (SELECT sku, sum(delta) AS moved FROM stock_movements GROUP BY sku) m ON m.sku = s.sku
    LEFT JOIN (SELECT l.sku, sum(l.quantity) AS committed FROM reservation_lines l JOIN reservations r ON r.id = l.reservation_id
               WHERE r.state = 'COMMITTED' GROUP BY l.sku) c ON c.sku = s.sku
    WHERE s.on_hand <> coalesce(m.moved, 0) - coalesce(c.committed, 0)`,
  '2 restocked exactly what was cancelled': `
    SELECT coalesce(c.sku, r.sku) AS sku, c.quantity AS cancelled, r.quantity AS restocked FROM (
      SELECT l.sku, sum(l.quantity) AS quantity FROM orders o JOIN reservation_lines l ON l.reservation_id = o.reservation_id
      WHERE o.state = 'CANCELLED' GROUP BY l.sku) c
    FULL JOIN (SELECT sku, sum(delta) AS quantity FROM stock_movements WHERE kind = 'RESTOCK' GROUP BY sku) r ON r.sku = c.sku
    WHERE c.quantity IS DISTINCT FROM r.quantity`,
  '3 CONFIRMED is paid once': `
    SELECT o.id, o.total, p.state, p.amount, e.spent, s.state AS saga FROM orders o LEFT JOIN payments p ON p.order_id = o.id
    LEFT JOIN sagas s ON s.id = o.saga_id
    LEFT JOIN (SELECT order_id, -sum(amount) AS spent FROM account_entries WHERE kind = 'PURCHASE' GROUP BY order_id) e ON e.order_id = o.id
    WHERE o.state = 'CONFIRMED' AND (p.state IS NULL OR p.state NOT IN ('AUTHORIZED', 'CAPTURED', 'REFUNDED', 'EXPIRED') OR p.amount + coalesce(e.spent, 0) <> o.total
      OR s.state IN ('COMPENSATING', 'COMPENSATED'))`,
  '3 CONFIRMED has its stock': `
    SELECT o.id, r.state FROM orders o LEFT JOIN reservations r ON r.id = o.reservation_id
    WHERE o.state IN ('CONFIRMED', 'CANCELLED') AND r.state IS DISTINCT FROM 'COMMITTED'`,
  '4 REJECTED and CANCELLED are paid back': `
    SELECT o.id, o.state, p.state AS payment, p.amount, p.refunded_amount FROM orders o JOIN payments p ON p.order_id = o.id
    WHERE o.state IN ('REJECTED', 'CANCELLED') AND (p.state = 'AUTHORIZED'
      OR (p.state IN ('CAPTURED', 'REFUNDED') AND coalesce(p.captured_amount, p.amount) <> p.refunded_amount + p.credited_amount))`,
  '4 REJECTED and CANCELLED have given their credit back': `
    SELECT o.id, o.state, e.net, p.credited_amount FROM orders o LEFT JOIN payments p ON p.order_id = o.id
    JOIN (SELECT order_id, sum(amount) AS net FROM account_entries GROUP BY order_id) e ON e.order_id = o.id
    WHERE o.state IN ('REJECTED', 'CANCELLED') AND e.net <> coalesce(p.credited_amount, 0)`,
  '5 terminal sagas are settled': `
    SELECT o.id, s.state AS saga, o.state, p.state AS payment, r.state AS reservation FROM orders o JOIN sagas s ON s.id = o.saga_id
    LEFT JOIN payments p ON p.order_id = o.id LEFT JOIN reservations r ON r.id = o.reservation_id
    WHERE s.state IN ('COMPLETED', 'COMPENSATED', 'RESOLVED')
      AND (o.state = 'PENDING' OR p.state IN ('PENDING', 'IN_DOUBT', 'REQUIRES_ACTION') OR (r.state = 'HELD' AND r.order_id = o.id))`,
  "6 the provider's money = ours": `
    SELECT coalesce(o.id::text, c.order_id) AS id, o.state, o.total, p.refunded_amount AS refunded, c.net, c.charges FROM orders o
    LEFT JOIN payments p ON p.order_id = o.id
    FULL JOIN (SELECT order_id, sum(coalesce(captured_amount, amount) - refunded_amount) AS net, count(*) AS charges FROM sandbox.charges
               WHERE state IN ('CAPTURED', 'REFUNDED') GROUP BY order_id) c ON c.order_id = o.id::text
    WHERE coalesce(c.net, 0) <> CASE
      WHEN p.state IN ('AUTHORIZED', 'VOIDED', 'EXPIRED') THEN 0
      WHEN o.state = 'CONFIRMED' THEN coalesce(p.captured_amount, p.amount) - p.refunded_amount
      ELSE coalesce(p.credited_amount, 0) END`,
  '6 the provider has captured, voided or ended what we say': `
    SELECT p.order_id, p.state, p.amount, p.captured_amount, c.state AS theirs, c.amount AS their_amount, c.captured_amount AS their_captured
    FROM payments p LEFT JOIN sandbox.charges c ON c.id = p.transaction_id
    WHERE (p.state IN ('AUTHORIZED', 'VOIDED', 'EXPIRED') AND (c.state IS DISTINCT FROM p.state OR c.amount <> p.amount))
      OR (p.captured_amount IS NOT NULL AND (c.captured_amount IS DISTINCT FROM p.captured_amount OR c.amount <> p.amount OR p.captured_amount > p.amount))`,
  '6 no charge is left open at the provider': `
    SELECT c.id, c.order_id, o.state FROM sandbox.charges c LEFT JOIN orders o ON o.id::text = c.order_id WHERE c.state IN ('PENDING', 'AUTHORIZED')`,
  '6 nothing is charged twice': `
    SELECT order_id, count(*) FROM sandbox.charges WHERE state IN ('AUTHORIZED', 'CAPTURED', 'REFUNDED') GROUP BY order_id HAVING count(*) > 1`,
  '6 what we take for paid back has not failed at the provider': `
    SELECT r.order_id, r.id, s.id AS provider_refund FROM refunds r JOIN sandbox.refunds s ON s.id = r.provider_refund_id
    WHERE r.state = 'SETTLED' AND s.state <> 'SETTLED'`,
  '7 no saga is left open': `SELECT id, name, state, subject, phase, position, attempts, failure, owner, due_at FROM sagas
    WHERE state NOT IN ('COMPLETED', 'COMPENSATED', 'RESOLVED')`,
  '7 no refund is left open': `SELECT id, order_id, state, amount, failure FROM refunds WHERE state <> 'SETTLED'`,
  '7 no credit is left held': `SELECT order_id, account_id, amount FROM credit_holds WHERE state = 'HELD'`,
  '8 accounts add up': `
    SELECT a.id, a.balance, a.held, e.entered FROM accounts a
    LEFT JOIN (SELECT account_id, sum(amount) AS entered FROM account_entries GROUP BY account_id) e ON e.account_id = a.id
    WHERE a.balance <> coalesce(e.entered, 0) OR a.held < 0 OR a.held > a.balance
      OR a.held <> (SELECT coalesce(sum(amount), 0) FROM credit_holds h WHERE h.account_id = a.id AND h.state = 'HELD')`,
  '8 coupons and limits add up': `
    SELECT a.key, a.allowed, a.held, a.taken, c.held AS claims_held, c.taken AS claims_taken FROM allowances a
    LEFT JOIN (SELECT l.key, sum(l.quantity) FILTER (WHERE r.state = 'HELD') AS held,
                 sum(l.quantity) FILTER (WHERE r.state = 'COMMITTED' AND o.state = 'CONFIRMED') AS taken
               FROM reservation_claims l JOIN reservations r ON r.id = l.reservation_id LEFT JOIN orders o ON o.id = r.order_id GROUP BY l.key) c ON c.key = a.key
    WHERE a.held <> coalesce(c.held, 0) OR a.taken <> coalesce(c.taken, 0) OR a.held + a.taken > a.allowed`,
  '8 discounts and credit explain what the card paid': `
    SELECT o.id, o.total, o.discounts, o.credit, p.amount FROM orders o JOIN payments p ON p.order_id = o.id
    WHERE p.amount <> o.total - coalesce((SELECT sum((c->>'amount')::int8) FROM jsonb_array_elements(o.credit) c), 0)
      OR o.total <> (SELECT sum((l->>'amount')::int8) FROM jsonb_array_elements(o.lines) l)
        - coalesce((SELECT sum((d->>'amount')::int8) FROM jsonb_array_elements(o.discounts) d), 0)`,
  '7 nothing is left held': `SELECT id, state, order_id, pinned_by, expires_at FROM reservations WHERE state = 'HELD'`,
};

export async function unrestOf(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<Record<string, number>>(UNREST);
  return rows[0]!;
}

export async function checkDatabase(client: pg.Client): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [check, sql] of Object.entries(CHECKS)) {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    for (const detail of rows) violations.push({ check, detail });
  }
  return violations;
}

/** The service's own opinion, from any instance. */
export async function checkInvariants(port: number): Promise<Violation[]> {
  const answer = await sendHttp(port, {
    method: 'GET',
    path: '/v1/invariants',
    headers: { 'x-api-key': KEYS.ADMIN_API_KEY },
    timeoutMs: 30_000,
  });
  if (answer.status === 404) return [];
  if (answer.status !== 200) return [{ check: 'GET /v1/invariants', detail: answer.body }];
  const checks = answer.body.checks as { name: string; ok: boolean; violations: unknown[] }[];
  return checks.flatMap(({ name, violations }) =>
    violations.map((detail) => ({ check: `/v1/invariants ${name}`, detail })),
  );
}
