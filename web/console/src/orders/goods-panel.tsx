import { Link } from 'wouter';
import { formatMoney } from '../../../common/money.js';
import { Fact } from '../components/fact.js';
import { StateChip } from '../components/state-chip.js';
import { formatTime } from '../data/format.js';
import type { Dossier } from './order-page.js';

/** What was bought, how its price came about, and how it was paid. */
export function GoodsPanel({ dossier }: { dossier: Dossier }) {
  const { order } = dossier;
  return (
    <section className="card panel" aria-label="Goods and payment">
      <h2 className="panel-title">Goods and payment</h2>
      <ul className="goods">
        {order.lines.map(({ sku, name, quantity, amount }) => (
          <li key={sku}>
            <span className="number">{quantity} ×</span>
            <span>
              {name}{' '}
              <Link className="id quiet" href={`/stock/${encodeURIComponent(sku)}`}>
                {sku}
              </Link>
            </span>
            <span className="number">{formatMoney(amount, order.currency)}</span>
          </li>
        ))}
        <Totals order={order} />
      </ul>
      <PaymentFacts dossier={dossier} />
      {Object.keys(order.metadata).length > 0 && (
        <pre className="message" aria-label="Metadata" tabIndex={0}>
          {JSON.stringify(order.metadata, null, 2)}
        </pre>
      )}
    </section>
  );
}

/** Discounts and credit, where there are any, and what is left for the card. */
function Totals({ order: { totals, amountDue, currency } }: Pick<Dossier, 'order'>) {
  const others = totals.filter(({ type }) => type !== 'items');
  if (others.length === 0) return null;
  return (
    <>
      {others.map(({ type, label, amount }) => (
        <li key={`${type} ${label}`}>
          <span />
          <span className="quiet">
            {type}: {label}
          </span>
          <span className="number">{formatMoney(amount, currency)}</span>
        </li>
      ))}
      <li>
        <span />
        <strong>Due on the card</strong>
        <strong className="number">{formatMoney(amountDue, currency)}</strong>
      </li>
    </>
  );
}

function PaymentFacts({ dossier: { order, payment } }: { dossier: Dossier }) {
  return (
    <dl className="facts">
      <Fact name="Payment">{payment ? <StateChip state={payment.state} /> : 'none'}</Fact>
      {payment && (
        <>
          <Fact name="Amount">{formatMoney(payment.amount, payment.currency)}</Fact>
          {payment.capturedAmount !== null && (
            <Fact name="Captured">{formatMoney(payment.capturedAmount, payment.currency)}</Fact>
          )}
          {payment.authorizedUntil !== null && (
            <Fact name={payment.state === 'AUTHORIZED' ? 'Authorised until' : 'Authorisation ended'}>
              {formatTime(payment.authorizedUntil)}
            </Fact>
          )}
          <Fact name="Refunded">{formatMoney(payment.refundedAmount, payment.currency)}</Fact>
          <Fact name="Method">
            <code>{payment.method}</code>
          </Fact>
          {payment.declineCode && <Fact name="Declined with">{payment.declineCode}</Fact>}
        </>
      )}
      <Fact name="Hold">{order.reservation ? <StateChip state={order.reservation.state} /> : 'none'}</Fact>
      {order.reservation?.state === 'HELD' && <Fact name="Held until">{formatTime(order.reservation.expiresAt)}</Fact>}
      {order.credit && <Fact name="Store credit">{formatMoney(order.credit.amount, order.currency)}</Fact>}
    </dl>
  );
}
