import type { Sku } from '@checkout-saga/client';
import { formatMoney } from '../../../common/money.js';
import { pricesOf } from './seating.js';

export function SeatLegend({ seats }: { seats: readonly Sku[] }) {
  const currency = seats[0]?.currency ?? 'EUR';
  return (
    <ul className="legend" aria-label="Legend">
      {pricesOf(seats).map((price, index) => (
        <li key={price}>
          <span className={`seat free price-${index}`} /> <span className="number">{formatMoney(price, currency)}</span>
        </li>
      ))}
      <li>
        <span className="seat yours" /> Yours
      </li>
      <li>
        <span className="seat held" /> Held by somebody
      </li>
      <li>
        <span className="seat sold" /> Sold
      </li>
    </ul>
  );
}
