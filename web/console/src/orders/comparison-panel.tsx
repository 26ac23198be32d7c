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
          {provider.charges.map((charge) => (
            <div key={charge.id}>
              <StateChip state={charge.state} />
              <Amounts of={charge} />
              {charge.isStray && <span className="quiet small">a stray charge</span>}
            </div>
          ))}
        </li>
        <li>
          <h3>our payment</h3>
          {payment ? (
            <div>
              <StateChip state={payment.state} />
              <Amounts of={payment} />
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

type Money = Pick<NonNullable<Comparison['payment']>, 'amount' | 'capturedAmount' | 'refundedAmount' | 'currency'>;

function Amounts({ of: { amount, capturedAmount, refundedAmount, currency } }: { of: Money }) {
  const isPart = capturedAmount > 0 && capturedAmount < amount;
  return (
    <>
      <span className="number">{formatMoney(amount, currency)}</span>
      {isPart && <span className="quiet small number">captured {formatMoney(capturedAmount, currency)}</span>}
      {refundedAmount > 0 && (
        <span className="quiet small number">refunded {formatMoney(refundedAmount, currency)}</span>
      )}
    </>
  );
}
