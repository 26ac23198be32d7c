import { Statement, statement } from '../../platform/postgres/statement.js';
import { CAPTURED } from '../../payment/captured.js';
import { IS_WATCHED } from '../../saga/saga.repository.js';

/** An invariant, as a query that finds its violations. Each row is one violation and says what is wrong. */
export interface InvariantCheck {
  readonly name: string;
  readonly query: Statement;
}

const check = (name: string, text: string): InvariantCheck => ({ name, query: statement(`invariant.${name}`, text) });

const OPEN_SAGA = `state IN ('RUNNING', 'WAITING', 'COMPENSATING', 'STUCK')`;
/** A saga that is overdue for this long was not taken over, although every instance could have done so. */
const OVERDUE = `interval '60 seconds'`;

/** Authorisations are looked at every half minute. */
const CLOSING = `interval '5 minutes'`;

/**
 * Set-based. The provider's ledger is not in our database and is compared elsewhere. A refund that the provider took
 * back is owed again: its order may be unbalanced while a saga pays it, and not otherwise.
 */
export const INVARIANT_CHECKS: readonly InvariantCheck[] = [
  check(
    'stock-within-bounds',
    `SELECT sku, on_hand AS "onHand", reserved, 'reserved is not between 0 and onHand' AS problem
     FROM skus WHERE NOT (0 <= reserved AND reserved <= on_hand) LIMIT $1`,
  ),
  check(
    'reserved-equals-held',
    `SELECT sku, coalesce(skus.reserved, 0) AS reserved, coalesce(held.quantity, 0) AS held,
       'reserved is not the sum of the HELD lines' AS problem
     FROM skus FULL JOIN (
       SELECT sku, sum(quantity)::int8 AS quantity
       FROM reservations JOIN reservation_lines ON reservation_id = reservations.id WHERE state = 'HELD' GROUP BY sku
     ) AS held USING (sku)
     WHERE coalesce(skus.reserved, 0) <> coalesce(held.quantity, 0) LIMIT $1`,
  ),
  check(
    'stock-ledger-balances',
    `SELECT sku, on_hand AS "onHand", coalesce(moved.delta, 0) AS movements, coalesce(sold.quantity, 0) AS committed,
       'onHand is not initial + adjustments + restocks - committed' AS problem
     FROM skus
     LEFT JOIN (SELECT sku, sum(delta)::int8 AS delta FROM stock_movements GROUP BY sku) AS moved USING (sku)
     LEFT JOIN (
       SELECT sku, sum(quantity)::int8 AS quantity
       FROM reservations JOIN reservation_lines ON reservation_id = reservations.id WHERE state = 'COMMITTED' GROUP BY sku
     ) AS sold USING (sku)
     WHERE on_hand <> coalesce(moved.delta, 0) - coalesce(sold.quantity, 0) LIMIT $1`,
  ),
  // An order that was refunded in full on request stays CONFIRMED. One whose own checkout paid it back must not be. So does
  // one whose authorisation has ended, which a person has to look at; but what is VOIDED is about to be cancelled.
  check(
    'confirmed-paid-once',
    `SELECT orders.id AS "orderId", total, orders.currency, payments.state AS payment, payments.amount,
       coalesce(paid.credit, 0) AS credit, 'a CONFIRMED order whose total is not credit taken + a payment that was authorised or captured' AS problem
     FROM orders LEFT JOIN payments ON payments.order_id = orders.id
     LEFT JOIN (
       SELECT order_id, sum(amount)::int8 AS credit FROM credit_holds WHERE state = 'TAKEN' GROUP BY order_id
     ) AS paid ON paid.order_id = orders.id
     WHERE orders.state = 'CONFIRMED'
       AND (payments.id IS NULL OR payments.state NOT IN ('AUTHORIZED', 'EXPIRED', 'VOIDED', 'CAPTURED', 'REFUNDED')
         OR captured_amount > payments.amount
         OR (payments.state = 'VOIDED' AND NOT EXISTS (SELECT FROM sagas WHERE subject = orders.id::text AND sagas.${OPEN_SAGA}))
         OR payments.amount + coalesce(paid.credit, 0) <> total OR payments.currency <> orders.currency
         OR (payments.state = 'REFUNDED' AND EXISTS (
           SELECT FROM sagas WHERE sagas.id = orders.saga_id
             AND (sagas.state IN ('COMPENSATING', 'COMPENSATED') OR sagas.phase IN ('undo', 'undo-call'))))) LIMIT $1`,
  ),
  check(
    'confirmed-took-stock',
    `SELECT orders.id AS "orderId", reservations.state AS reservation, 'a CONFIRMED order whose stock was not taken' AS problem
     FROM orders LEFT JOIN reservations ON reservations.id = orders.reservation_id
     WHERE orders.state IN ('CONFIRMED', 'CANCELLED')
       AND (reservations.state IS DISTINCT FROM 'COMMITTED' OR reservations.order_id IS DISTINCT FROM orders.id) LIMIT $1`,
  ),
  check(
    'unconfirmed-net-zero',
    `SELECT orders.id AS "orderId", orders.state, ${CAPTURED} AS captured, refunded_amount AS refunded,
       CASE WHEN failed.failures > 0 THEN 'a refund failed after it had settled, and nobody is paying it again' ELSE 'captured - refunded is not 0' END AS problem
     FROM orders JOIN payments ON payments.order_id = orders.id AND payments.state IN ('CAPTURED', 'REFUNDED')
     LEFT JOIN LATERAL (
       SELECT sum(late_failures) AS failures FROM refunds WHERE refunds.order_id = orders.id AND refunds.state <> 'SETTLED'
     ) AS failed ON true
     WHERE orders.state IN ('REJECTED', 'CANCELLED') AND ${CAPTURED} <> refunded_amount + credited_amount
       AND NOT (coalesce(failed.failures, 0) > 0 AND EXISTS (
         SELECT FROM sagas WHERE subject = orders.id::text AND sagas.state IN ('RUNNING', 'WAITING', 'COMPENSATING')))
     UNION ALL
     SELECT orders.id, orders.state, 0, 0, 'its card is still authorised'
     FROM orders JOIN payments ON payments.order_id = orders.id AND payments.state = 'AUTHORIZED'
     WHERE orders.state IN ('REJECTED', 'CANCELLED')
     UNION ALL
     SELECT orders.id, orders.state, amount, credit_holds.refunded_amount, 'credit was not given back'
     FROM orders JOIN credit_holds ON credit_holds.order_id = orders.id
     WHERE (orders.state = 'REJECTED' AND credit_holds.state <> 'RELEASED')
       OR (orders.state = 'CANCELLED' AND (credit_holds.state <> 'TAKEN' OR amount <> credit_holds.refunded_amount))
     UNION ALL
     SELECT order_id, 'STRAY', amount, refunded_amount, 'a stray charge is not paid back and nobody is at it'
     FROM stray_charges WHERE amount <> refunded_amount
       AND NOT EXISTS (SELECT FROM sagas WHERE sagas.id = saga_id AND state IN ('RUNNING', 'WAITING', 'COMPENSATING'))
     LIMIT $1`,
  ),
  check(
    'refunds-add-up',
    `SELECT payments.order_id AS "orderId", refunded_amount AS refunded, refund_reserved AS reserved,
       coalesce(settled, 0) AS settled, coalesce(requested, 0) AS requested, 'the refunds do not add up to their payment' AS problem
     FROM payments LEFT JOIN (
       SELECT payment_id, sum(amount)::int8 AS requested, (sum(amount) FILTER (WHERE state = 'SETTLED'))::int8 AS settled
       FROM refunds GROUP BY payment_id
     ) AS sums ON payment_id = payments.id
     WHERE refunded_amount <> coalesce(settled, 0) OR refund_reserved <> coalesce(requested, 0) + credited_amount
       OR (state = 'REFUNDED') <> (state IN ('CAPTURED', 'REFUNDED') AND amount > 0 AND refunded_amount = ${CAPTURED}) LIMIT $1`,
  ),
  check(
    'terminal-sagas-settled',
    `SELECT sagas.id AS "sagaId", sagas.state AS saga, order_id AS "orderId", open.kind, open.state, 'the saga has ended, this has not' AS problem
     FROM (
       SELECT order_id, 'payment' AS kind, state FROM payments WHERE state IN ('PENDING', 'IN_DOUBT', 'REQUIRES_ACTION')
       UNION ALL SELECT order_id, 'reservation', state FROM reservations WHERE state = 'HELD' AND order_id IS NOT NULL
       UNION ALL SELECT order_id, 'credit', state FROM credit_holds WHERE state = 'HELD'
       UNION ALL SELECT id, 'order', state FROM orders WHERE state = 'PENDING'
     ) AS open JOIN orders ON orders.id = order_id JOIN sagas ON sagas.id = orders.saga_id
     WHERE sagas.state IN ('COMPLETED', 'COMPENSATED', 'RESOLVED') LIMIT $1`,
  ),
  check(
    'credit-within-bounds',
    `SELECT accounts.id AS "accountId", balance, held, coalesce(entered.amount, 0) AS entries, coalesce(holds.amount, 0) AS holds,
       'held is not between 0 and the balance, or they are not the sums of entries and holds' AS problem
     FROM accounts
     LEFT JOIN (SELECT account_id, sum(amount)::int8 AS amount FROM account_entries GROUP BY account_id) AS entered
       ON entered.account_id = accounts.id
     LEFT JOIN (SELECT account_id, sum(amount)::int8 AS amount FROM credit_holds WHERE state = 'HELD' GROUP BY account_id) AS holds
       ON holds.account_id = accounts.id
     WHERE NOT (0 <= held AND held <= balance) OR balance <> coalesce(entered.amount, 0) OR held <> coalesce(holds.amount, 0)
     LIMIT $1`,
  ),
  check(
    'allowances-within-bounds',
    `SELECT key, allowed, allowances.held, allowances.taken, coalesce(claims.held, 0) AS "heldClaims", coalesce(claims.taken, 0) AS "takenClaims",
       'a coupon or a limit is exceeded, or is not the sum of what holds and orders have of it' AS problem
     FROM allowances FULL JOIN (
       SELECT key, (sum(quantity) FILTER (WHERE reservations.state = 'HELD'))::int8 AS held,
         (sum(quantity) FILTER (WHERE reservations.state = 'COMMITTED' AND orders.state IS DISTINCT FROM 'CANCELLED'))::int8 AS taken
       FROM reservation_claims JOIN reservations ON reservations.id = reservation_id
       LEFT JOIN orders ON orders.id = reservations.order_id GROUP BY key
     ) AS claims USING (key)
     WHERE allowances.held + allowances.taken > allowed OR coalesce(allowances.held, 0) <> coalesce(claims.held, 0)
       OR coalesce(allowances.taken, 0) <> coalesce(claims.taken, 0) LIMIT $1`,
  ),
  check(
    'nothing-pending-without-owner',
    `SELECT open.kind, open.id, open.state, 'nobody will bring this to an end' AS problem
     FROM (
       SELECT 'order' AS kind, id, state, id AS order_id FROM orders WHERE state = 'PENDING'
       UNION ALL SELECT 'payment', id, state, order_id FROM payments WHERE state IN ('PENDING', 'IN_DOUBT', 'REQUIRES_ACTION')
       UNION ALL SELECT 'credit', order_id, state, order_id FROM credit_holds WHERE state = 'HELD'
       UNION ALL SELECT 'refund', id, state, order_id FROM refunds WHERE state IN ('PENDING', 'IN_DOUBT', 'FAILED')
     ) AS open
     WHERE NOT EXISTS (SELECT FROM sagas WHERE subject = order_id::text AND ${OPEN_SAGA})
     UNION ALL
     SELECT 'authorization', id, state, 'its time is over and nobody closes it' FROM payments
     WHERE authorized_until < now() - ${CLOSING} AND state = 'AUTHORIZED'
       AND NOT EXISTS (SELECT FROM sagas WHERE subject = order_id::text AND sagas.${OPEN_SAGA})
     UNION ALL
     SELECT 'reservation', id, state, 'pinned by a saga that is not at work' FROM reservations
     WHERE state = 'HELD' AND pinned_by IS NOT NULL
       AND NOT EXISTS (SELECT FROM sagas WHERE sagas.id = pinned_by AND ${OPEN_SAGA})
     UNION ALL
     SELECT 'reservation', id, state, 'expired long ago and still HELD' FROM reservations
     WHERE state = 'HELD' AND pinned_by IS NULL AND expires_at < now() - greatest(${OVERDUE}, $2 * interval '1 second')
     UNION ALL
     SELECT 'saga', id, state, 'due long ago and driven by nobody' FROM sagas
     WHERE (${IS_WATCHED} OR id IN (SELECT saga_id FROM orders WHERE state = 'PENDING'))
       AND state IN ('RUNNING', 'WAITING', 'COMPENSATING') AND due_at < now() - greatest(${OVERDUE}, $3 * interval '1 millisecond')
     LIMIT $1`,
  ),
];
