import type { Sku } from '@checkout-saga/client';
import { type KeyboardEvent, useRef, useState } from 'react';
import { announce } from '../../../common/announcer.js';
import { formatMoney } from '../../../common/money.js';
import { useObservable } from '../../../common/observable.js';
import { basketState, linesOf } from '../basket/basket-state.js';
import { explain } from '../explain.js';
import { useShop } from '../shop.js';
import { pricesOf, rowsOf, type Seat, type SeatRow, type SeatState, stateOf } from './seating.js';

const SAID: Readonly<Record<SeatState, string>> = {
  free: 'free',
  yours: 'yours',
  held: 'held by somebody',
  sold: 'sold',
};

interface SeatMapProps {
  readonly seats: readonly Sku[];
  readonly aisles: readonly number[];
}

/** One stop for the Tab key; the arrow keys walk through the hall. */
export function SeatMap({ seats, aisles }: SeatMapProps) {
  const { basket } = useShop();
  const mine = linesOf(useObservable(basketState));
  const rows = rowsOf(seats);
  const prices = pricesOf(seats);
  const [focused, setFocused] = useState('');
  const map = useRef<HTMLDivElement>(null);
  const tabStop = focused || (rows[0]?.seats[0]?.sku ?? '');
  const choose = async (seat: Seat, state: SeatState) => {
    const name = `Seat ${seat.row}${seat.number}`;
    if (state === 'held' || state === 'sold') {
      announce(`${name} is ${SAID[state]}`);
      return;
    }
    try {
      await basket.setQuantity(seat.sku, state === 'yours' ? 0 : 1);
      announce(state === 'yours' ? `${name} is free again` : `${name} is yours`);
    } catch (error) {
      announce(explain(error, () => name));
    }
  };
  const walk = (event: KeyboardEvent) => {
    const next = neighbour(rows, tabStop, event.key);
    if (!next) return;
    event.preventDefault();
    setFocused(next.sku);
    map.current?.querySelector<HTMLElement>(`[data-sku="${next.sku}"]`)?.focus();
  };
  return (
    <div className="seat-map">
      <div className="screen" aria-hidden>
        <span>Screen</span>
      </div>
      <div
        ref={map}
        className="rows"
        role="group"
        aria-label="Seats; the arrow keys move between them"
        onKeyDown={walk}
      >
        {rows.map(({ name, seats: inRow }) => (
          <div key={name} className="row" role="group" aria-label={`Row ${name}`}>
            <span className="row-name" aria-hidden>
              {name}
            </span>
            {inRow.map((seat) => {
              const state = stateOf(seat, mine);
              return (
                <button
                  key={seat.sku}
                  type="button"
                  data-sku={seat.sku}
                  className={`seat ${state} price-${prices.indexOf(seat.unitAmount)} ${aisles.includes(seat.number) ? 'aisle' : ''}`}
                  tabIndex={seat.sku === tabStop ? 0 : -1}
                  aria-pressed={state === 'yours'}
                  aria-disabled={state === 'held' || state === 'sold'}
                  aria-label={`Row ${seat.row}, seat ${seat.number}, ${formatMoney(seat.unitAmount, seat.currency)}, ${SAID[state]}`}
                  onFocus={() => setFocused(seat.sku)}
                  onClick={() => choose(seat, state)}
                >
                  {seat.number}
                </button>
              );
            })}
            <span className="row-name" aria-hidden>
              {name}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

function neighbour(rows: readonly SeatRow[], from: string, key: string): Seat | undefined {
  const rowIndex = rows.findIndex(({ seats }) => seats.some(({ sku }) => sku === from));
  const row = rows[rowIndex]?.seats ?? [];
  const index = row.findIndex(({ sku }) => sku === from);
  const inRow = (other: SeatRow | undefined) => other?.seats[Math.min(index, other.seats.length - 1)];
  switch (key) {
    case 'ArrowRight':
      return row[index + 1];
    case 'ArrowLeft':
      return row[index - 1];
    case 'ArrowDown':
      return inRow(rows[rowIndex + 1]);
    case 'ArrowUp':
      return inRow(rows[rowIndex - 1]);
    case 'Home':
      return row[0];
    case 'End':
      return row.at(-1);
    default:
      return undefined;
  }
}
