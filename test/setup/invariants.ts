import type { TestDatabase } from './test-database.js';

/**
 * The invariants in plain SQL, written separately from GET /v1/invariants, so that a mistake there cannot hide one
 * here. Each query returns the violations.
 */
const INVARIANTS: Readonly<Record<string, string>> = {
  '1 reserved is what is held': `
    SELECT sku, on_hand, reserved, held FROM skus
    LEFT JOIN LATERAL (SELECT coalesce(sum(quantity), 0) AS held FROM reservation_lines JOIN reservations ON id = reservation_id
      WHERE reservation_lines.sku = skus.sku AND state = 'HELD') AS sums ON true
    WHERE reserved < 0 OR reserved > on_hand OR reserved <> held`,
  '2 the ledger explains the stock': `
    SELECT sku, on_hand, moved, sold FROM skus
    LEFT JOIN LATERAL (SELECT coalesce(sum(delta), 0) AS moved FROM stock_movements WHERE stock_movements.sku = skus.sku) AS m ON true
    LEFT JOIN LATERAL (SELECT coalesce(sum(quantity), 0) AS sold FROM reservation_lines JOIN reservations ON id = reservation_id
      WHERE reservation_lines.sku = skus.sku AND state = 'COMMITTED') AS s ON true
    WHERE on_hand <> moved - sold`,
  '3 confirmed is paid once': `
    SELECT orders.id, total, payments.state, payments.amount, spent.amount AS spent, sagas.state AS saga FROM orders LEFT JOIN payments ON order_id = orders.id
    LEFT JOIN sagas ON sagas.id = saga_id
    LEFT JOIN LATERAL (SELECT coalesce(sum(-amount), 0) AS amount FROM account_entries
      WHERE account_entries.order_id = orders.id AND kind = 'PURCHASE') AS spent ON true
    WHERE orders.state = 'CONFIRMED' AND (payments.id IS NULL OR payments.amount + spent.amount <> total
      OR payments.state NOT IN ('CAPTURED', 'REFUNDED', 'AUTHORIZED', 'EXPIRED') OR sagas.state IN ('COMPENSATING', 'COMPENSATED'))`,
  '3 no more is captured than was authorised, and no less is refunded than we say': `
    SELECT order_id, state, amount, captured_amount, refunded_amount FROM payments
    WHERE captured_amount NOT BETWEEN 1 AND amount OR refunded_amount + credited_amount > coalesce(captured_amount, amount)
      OR (captured_amount IS NOT NULL AND state NOT IN ('CAPTURED', 'REFUNDED'))
      OR (state IN ('AUTHORIZED', 'VOIDED', 'EXPIRED') AND (transaction_id IS NULL OR refunded_amount > 0))
      OR (state = 'REFUNDED') <> (state IN ('CAPTURED', 'REFUNDED') AND amount > 0 AND refunded_amount = coalesce(captured_amount, amount))`,
  '4 rejected and cancelled are paid back': `
    SELECT orders.id, payments.state, refunded_amount, refund.state AS refund FROM orders JOIN payments ON order_id = orders.id
    LEFT JOIN refunds AS refund ON refund.order_id = orders.id AND refund.state <> 'SETTLED'
    WHERE orders.state IN ('REJECTED', 'CANCELLED')
      AND (refund.id IS NOT NULL OR payments.state = 'AUTHORIZED'
        OR (payments.state IN ('CAPTURED', 'REFUNDED') AND coalesce(captured_amount, payments.amount) <> refunded_amount + credited_amount))`,
  '4 rejected and cancelled have given their credit back': `
    SELECT orders.id, orders.state, sum(account_entries.amount) AS net, sum(credited_amount) AS credited FROM orders
    JOIN account_entries ON account_entries.order_id = orders.id LEFT JOIN payments ON payments.order_id = orders.id
    WHERE orders.state IN ('REJECTED', 'CANCELLED') GROUP BY orders.id HAVING sum(account_entries.amount) <> coalesce(max(credited_amount), 0)`,
  '5 what is over has left nothing open': `
    SELECT sagas.id, payments.state, reservations.state AS hold FROM sagas
    JOIN orders ON orders.saga_id = sagas.id
    LEFT JOIN payments ON payments.order_id = orders.id LEFT JOIN reservations ON reservations.order_id = orders.id
    WHERE sagas.state IN ('COMPLETED', 'COMPENSATED', 'RESOLVED')
      AND (payments.state IN ('PENDING', 'IN_DOUBT') OR reservations.state = 'HELD' OR orders.state = 'PENDING')`,
  '5 what is over holds no credit': `
    SELECT order_id, credit_holds.state, orders.state AS ordered FROM credit_holds LEFT JOIN orders ON orders.id = order_id
    WHERE credit_holds.state IS DISTINCT FROM CASE orders.state WHEN 'PENDING' THEN 'HELD' WHEN 'REJECTED' THEN 'RELEASED' ELSE 'TAKEN' END`,
  '6 the provider says the same': `
    SELECT coalesce(payments.order_id::text, charge.order_id) AS order_id, payments.state, charge.*
    FROM payments FULL JOIN (
      SELECT order_id, count(*) AS charges, sum(refunded_amount) AS refunded,
        sum(CASE WHEN state <> 'AUTHORIZED' THEN coalesce(captured_amount, amount) ELSE 0 END) AS captured,
        sum(CASE state WHEN 'AUTHORIZED' THEN amount ELSE 0 END) AS blocked
      FROM sandbox.charges WHERE state IN ('AUTHORIZED', 'CAPTURED', 'REFUNDED') GROUP BY order_id) AS charge ON charge.order_id = payments.order_id::text
    WHERE charges > 1
      OR coalesce(captured, 0) <> CASE WHEN payments.state IN ('CAPTURED', 'REFUNDED') THEN coalesce(captured_amount, amount) ELSE 0 END
      OR coalesce(blocked, 0) <> CASE payments.state WHEN 'AUTHORIZED' THEN amount ELSE 0 END
      OR coalesce(refunded, 0) <> coalesce(refunded_amount, 0)`,
  '6 what we take for paid back has not failed at the provider': `
    SELECT refunds.order_id, refunds.id, theirs.id AS provider_refund_id FROM refunds
    JOIN sandbox.refunds AS theirs ON theirs.id = refunds.provider_refund_id WHERE refunds.state = 'SETTLED' AND theirs.state = 'FAILED'`,
  '7 nothing is pending without a saga': `
    SELECT orders.id FROM orders LEFT JOIN sagas ON sagas.id = saga_id
    WHERE orders.state = 'PENDING' AND coalesce(sagas.state, 'none') NOT IN ('RUNNING', 'WAITING', 'COMPENSATING', 'STUCK')`,
  '7 no authorisation outlives its time': `
    SELECT order_id, state, authorized_until FROM payments WHERE state = 'AUTHORIZED' AND authorized_until < now() - interval '5 minutes'
      AND NOT EXISTS (SELECT FROM sagas WHERE subject = order_id::text AND sagas.state IN ('RUNNING', 'COMPENSATING', 'STUCK', 'WAITING'))`,
  '8 accounts are what was entered and is held': `
    SELECT id, balance, held FROM accounts WHERE held < 0 OR held > balance
      OR balance <> (SELECT coalesce(sum(amount), 0) FROM account_entries WHERE account_id = accounts.id)
      OR held <> (SELECT coalesce(sum(amount), 0) FROM credit_holds WHERE account_id = accounts.id AND state = 'HELD')`,
  '8 coupons and limits are what holds and orders have of them': `
    SELECT key, allowed, held, taken FROM allowances
    LEFT JOIN LATERAL (
      SELECT coalesce(sum(quantity) FILTER (WHERE reservations.state = 'HELD'), 0) AS open,
        coalesce(sum(quantity) FILTER (WHERE reservations.state = 'COMMITTED' AND orders.state = 'CONFIRMED'), 0) AS sold
      FROM reservation_claims JOIN reservations ON reservations.id = reservation_id LEFT JOIN orders ON orders.reservation_id = reservations.id
      WHERE reservation_claims.key = allowances.key) AS claims ON true
    WHERE held < 0 OR taken < 0 OR held + taken > allowed OR held <> open OR taken <> sold`,
  '8 somebody will look at every open saga in time': `
    SELECT id, state, due_at FROM sagas
    WHERE state IN ('RUNNING', 'WAITING', 'COMPENSATING', 'STUCK') AND NOT EXISTS (
      SELECT FROM saga_watch WHERE sagas.id = ANY (saga_ids)
        AND (saga_watch.due_at <= greatest(sagas.due_at, now()) OR sagas.state = 'STUCK'))`,
  "9 holds that may run out are swept, and one at most is an order's": `
    SELECT id::text, state, sweep_at, ended_at FROM reservations
    WHERE sweep_at IS DISTINCT FROM CASE WHEN state = 'HELD' AND pinned_by IS NULL THEN expires_at END
      OR (ended_at IS NOT NULL) <> (state IN ('RELEASED', 'EXPIRED'))
    UNION ALL SELECT order_id::text, 'several', NULL, NULL FROM reservations
    WHERE state IN ('HELD', 'COMMITTED') AND order_id IS NOT NULL GROUP BY order_id HAVING count(*) > 1`,
};

/**
 * The violated invariants with their rows; empty if all hold. For a system at rest: number 6 compares with the outside
 * world.
 */
export async function violations(database: Pick<TestDatabase, 'query'>): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(INVARIANTS)) {
    const rows = await database.query(sql);
    if (rows.length > 0) found[name] = rows;
  }
  return found;
}
