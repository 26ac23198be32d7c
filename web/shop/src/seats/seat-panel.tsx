import type { Sku } from '@checkout-saga/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { announce } from '../../../common/announcer.js';
import { formatMoney } from '../../../common/money.js';
import { useObservable } from '../../../common/observable.js';
import { basketState, linesOf, quantityOf } from '../basket/basket-state.js';
import { QuantityField } from '../basket/quantity-field.js';
import { HoldClock } from '../checkout/hold-clock.js';
import { spokenName } from '../content/line-text.js';
import { explain } from '../explain.js';
import { useShop } from '../shop.js';

interface SeatPanelProps {
  readonly group: string;
  readonly seats: readonly Sku[];
}

/** What was chosen, what it costs, and the way on. */
export function SeatPanel({ group, seats }: SeatPanelProps) {
  const { basket } = useShop();
  const [, navigate] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const state = useObservable(basketState);
  const chosen = seats.filter(({ sku }) => quantityOf(linesOf(state), sku) > 0);
  const free = seats.filter(({ available }) => available > 0).length;
  const currency = seats[0]?.currency ?? 'EUR';
  const begin = async (hold: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await hold();
      navigate('/checkout');
    } catch (error) {
      announce(explain(error, (sku) => spokenName({ sku })));
    } finally {
      setBusy(false);
    }
  };
  return (
    <aside className="card panel seat-panel" aria-label="Your seats">
      {chosen.length === 0 ? (
        <>
          <h2 className="panel-title">
            <span className="number">{free}</span> of {seats.length} seats are free
          </h2>
          <p className="quiet seat-hint">Choose on the map, or let us find the best ones side by side.</p>
          <BestSeats
            isDisabled={isBusy || state.hold !== undefined}
            onFind={(quantity) => begin(() => basket.holdBest(currency, group, quantity))}
          />
        </>
      ) : (
        <>
          <h2 className="panel-title">Your seats</h2>
          <ul className="chosen">
            {chosen.map((seat) => (
              <li key={seat.sku}>
                <span>
                  Row {seat.row}, seat {seat.number}
                </span>
                <span className="number">{formatMoney(seat.unitAmount, seat.currency)}</span>
              </li>
            ))}
          </ul>
          <p className="total">
            <span>{chosen.length === 1 ? '1 seat' : `${chosen.length} seats`}</span>
            <strong className="number">
              {formatMoney(
                chosen.reduce((sum, { unitAmount }) => sum + unitAmount, 0),
                currency,
              )}
            </strong>
          </p>
          <button
            type="button"
            className="button primary wide"
            disabled={isBusy}
            onClick={() => (state.hold ? navigate('/checkout') : begin(() => basket.hold(currency)))}
          >
            {state.hold ? (
              <>
                Go on to payment <HoldClock hold={state.hold} />
              </>
            ) : (
              'Keep and pay'
            )}
          </button>
        </>
      )}
    </aside>
  );
}

function BestSeats({ isDisabled, onFind }: { isDisabled: boolean; onFind: (quantity: number) => void }) {
  const [quantity, setQuantity] = useState(2);
  return (
    <div className="best-seats">
      <QuantityField label="seats" quantity={quantity} onChange={setQuantity} />
      <button type="button" className="button primary" disabled={isDisabled} onClick={() => onFind(quantity)}>
        Find the best
      </button>
    </div>
  );
}
