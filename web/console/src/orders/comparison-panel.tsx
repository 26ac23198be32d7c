import type { Schemas } from '@checkout-saga/client';
import { formatMoney } from '../../../common/money.js';
import { Loading } from '../components/loading.js';
import { StateChip } from '../components/state-chip.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';

type Comparison = Schemas['Comparison'];

/** Provider, payment and order, asked for anew when the order has changed. */
export function ComparisonPanel({ id, version }: { id: string; version: string }) {
  const client = useClient();
  const comparison = useLoaded(`${id} ${version}`, (signal) => client.compareOrder(id, { signal }));
  return (
    <section className="card panel" aria-label="Provider, payment and order">
      <h2 className="panel-title">Provider, payment and order</h2>
      <Loading of={comparison}>{(value) => <SideBySide comparison={value} />}</Loading>
    </section>
  );
}

export function SideBySide({ comparison }: { comparison: Comparison }) {
  const { order, payment, provider, problems, isOpen } = comparison;
  return (
    <>
      <ul className="sides">
        <li>
          <h3>{provider.name}</h3>
          {provider.charges.length === 0 && <p className="quiet">no charge</p>}
          {provider.charges.map(({ id, state, amount, refundedAmount, currency, isStray }) => (
            <div key={id}>
              <StateChip state={state} />
              <Amounts amount={amount} refunded={refundedAmount} currency={currency} />
              {isStray && <span className="quiet small">a stray charge</span>}
            </div>
          ))}
        </li>
        <li>
          <h3>our payment</h3>
          {payment ? (
            <div>
              <StateChip state={payment.state} />
              <Amounts amount={payment.amount} refunded={payment.refundedAmount} currency={payment.currency} />
            </div>
          ) : (
            <p className="quiet">none</p>
          )}
        </li>
        <li>
          <h3>the order</h3>
          <div>
            <StateChip state={order.state} />
            <span className="number">{formatMoney(order.total, order.currency)}</span>
          </div>
        </li>
      </ul>
      {problems.length === 0 ? (
        <p className="notice good">They agree.</p>
      ) : (
        <div className={`notice ${isOpen ? 'warn' : 'bad'}`}>
          <strong>{isOpen ? 'They differ while a saga is at work' : 'They differ'}</strong>
          {problems.map((problem) => (
            <span key={problem}>{problem}</span>
          ))}
        </div>
      )}
    </>
  );
}

function Amounts({ amount, refunded, currency }: { amount: number; refunded: number; currency: string }) {
  return (
    <>
      <span className="number">{formatMoney(amount, currency)}</span>
      {refunded > 0 && <span className="quiet small number">refunded {formatMoney(refunded, currency)}</span>}
    </>
  );
}
