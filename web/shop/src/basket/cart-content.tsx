import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { formatMoney } from '../../../common/money.js';
import { useObservable } from '../../../common/observable.js';
import { HoldClock } from '../checkout/hold-clock.js';
import { spokenName } from '../content/line-text.js';
import { explain } from '../explain.js';
import { useShop } from '../shop.js';
import { BasketLines } from './basket-lines.js';
import { basketState, type Hold, isFixed, type Line } from './basket-state.js';
import { useQuote } from './use-quote.js';

/** The demo catalogue has one. */
export const CURRENCY = 'EUR';

export function CartContent({ onDone }: { onDone: () => void }) {
  const { cart, hold } = useObservable(basketState);
  if (hold) return <HeldCart hold={hold} onDone={onDone} />;
  if (cart.length === 0) {
    return (
      <div className="empty">
        <h2>Nothing in it yet</h2>
        <p>Add something from the foyer, or choose a seat.</p>
      </div>
    );
  }
  return <OpenCart cart={cart} onDone={onDone} />;
}

function OpenCart({ cart, onDone }: { cart: readonly Line[]; onDone: () => void }) {
  const { basket } = useShop();
  const [, navigate] = useLocation();
  const [refusal, setRefusal] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { quote, error, isFresh } = useQuote(CURRENCY, cart);
  const lines = cart.map((line) => {
    const quoted = quote?.lines.find(({ sku }) => sku === line.sku);
    return { ...quoted, ...line, ...(quoted && { amount: quoted.unitAmount * line.quantity }) };
  });
  const nameOf = (sku: string) => spokenName(lines.find((line) => line.sku === sku) ?? { sku });
  const checkOut = async () => {
    setBusy(true);
    setRefusal('');
    try {
      await basket.hold(CURRENCY);
      onDone();
      navigate('/checkout');
    } catch (refused) {
      setRefusal(explain(refused, nameOf));
    } finally {
      setBusy(false);
    }
  };
  const problem = refusal || (error === undefined ? '' : explain(error, nameOf));
  return (
    <>
      <div className="drawer-body">
        <BasketLines lines={lines} currency={CURRENCY} />
      </div>
      <div className="drawer-foot">
        <Total amount={isFresh ? quote?.total : undefined} currency={CURRENCY} />
        {problem !== '' && (
          <p className="notice bad" role="alert">
            {problem}
          </p>
        )}
        <button type="button" className="button primary wide" disabled={isBusy} onClick={checkOut}>
          {isBusy ? <span className="spinner" /> : null} Check out
        </button>
        <p className="quiet small-print">We then keep everything for you for a quarter of an hour.</p>
      </div>
    </>
  );
}

function HeldCart({ hold, onDone }: { hold: Hold; onDone: () => void }) {
  return (
    <>
      <div className="drawer-body">
        <BasketLines lines={hold.lines} currency={hold.currency} isFixed={isFixed(hold)} />
      </div>
      <div className="drawer-foot">
        <Total amount={hold.total} currency={hold.currency} />
        <Link href="/checkout" className="button primary wide" onClick={onDone}>
          {hold.payment === undefined ? (
            <>
              Go on to payment <HoldClock hold={hold} />
            </>
          ) : (
            'Payment under way'
          )}
        </Link>
      </div>
    </>
  );
}

export function Total({ amount, currency }: { amount: number | undefined; currency: string }) {
  return (
    <p className="total">
      <span>Total</span>
      <strong className="number">{amount === undefined ? '…' : formatMoney(amount, currency)}</strong>
    </p>
  );
}
