import { useState } from 'react';
import { announce } from '../../../common/announcer.js';
import { formatMoney } from '../../../common/money.js';
import { lineText, spokenName } from '../content/line-text.js';
import { explain } from '../explain.js';
import { useShop } from '../shop.js';
import { QuantityField } from './quantity-field.js';

export interface ShownLine {
  readonly sku: string;
  readonly name?: string;
  readonly quantity: number;
  readonly amount?: number;
  /** How many there are, where it is known. */
  readonly available?: number;
}

interface BasketLinesProps {
  readonly lines: readonly ShownLine[];
  readonly currency: string;
  readonly isFixed?: boolean;
}

export function BasketLines({ lines, currency, isFixed = false }: BasketLinesProps) {
  return (
    <ul className="lines">
      {lines.map((line) => (
        <BasketLine key={line.sku} line={line} currency={currency} isFixed={isFixed} />
      ))}
    </ul>
  );
}

function BasketLine({ line, currency, isFixed }: { line: ShownLine; currency: string; isFixed: boolean }) {
  const { basket } = useShop();
  const [isBusy, setBusy] = useState(false);
  const { title, detail, picture, isSeat } = lineText(line);
  const name = spokenName(line);
  const isShort = line.available !== undefined && line.available < line.quantity;
  const set = async (quantity: number) => {
    setBusy(true);
    try {
      await basket.setQuantity(line.sku, quantity);
      announce(quantity === 0 ? `${name} was taken out` : `${quantity} × ${name}`);
    } catch (error) {
      announce(explain(error, () => name));
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className="line" data-sku={line.sku}>
      <img src={picture} alt="" />
      <div className="line-text">
        <strong>
          {title}
          {isFixed && line.quantity > 1 && <span className="quiet number"> × {line.quantity}</span>}
        </strong>
        {isSeat && <span className="quiet">{detail}</span>}
        {isShort && <span className="line-short">{shortText(line.available ?? 0)}</span>}
        {!isFixed && (
          <div className="line-tools">
            {!isSeat && <QuantityField label={name} quantity={line.quantity} isDisabled={isBusy} onChange={set} />}
            <button type="button" className="link-button" disabled={isBusy} onClick={() => set(0)}>
              Remove<span className="visually-hidden"> {name}</span>
            </button>
          </div>
        )}
      </div>
      <span className="number">{line.amount === undefined ? '…' : formatMoney(line.amount, currency)}</span>
    </li>
  );
}

function shortText(available: number): string {
  return available === 0 ? 'Gone in the meantime' : `Only ${available} left`;
}
