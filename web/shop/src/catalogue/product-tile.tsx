import type { Sku } from '@checkout-saga/client';
import { useState } from 'react';
import { announce } from '../../../common/announcer.js';
import { formatMoney } from '../../../common/money.js';
import { useObservable } from '../../../common/observable.js';
import { basketState, linesOf, quantityOf } from '../basket/basket-state.js';
import { productOf } from '../content/products.js';
import { explain } from '../explain.js';
import { useShop } from '../shop.js';

/** From here on the buyer should know. */
const FEW = 20;

export function ProductTile({ sku }: { sku: Sku }) {
  const { basket } = useShop();
  const state = useObservable(basketState);
  const [isBusy, setBusy] = useState(false);
  const { picture, blurb } = productOf(sku.sku);
  const wanted = quantityOf(linesOf(state), sku.sku);
  /** What the buyer holds is reserved already, and counts as left for nobody else. */
  const left = state.hold ? sku.available : sku.available - wanted;
  const add = async () => {
    setBusy(true);
    try {
      await basket.setQuantity(sku.sku, wanted + 1);
      announce(`${sku.name} is in your cart`);
    } catch (error) {
      announce(explain(error, () => sku.name));
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className="tile card" data-sku={sku.sku}>
      <div className="tile-picture">
        <img src={picture} alt="" loading="lazy" />
        <StockChip sku={sku} />
      </div>
      <div className="tile-text">
        <h3>{sku.name}</h3>
        <p className="quiet">{blurb}</p>
      </div>
      <div className="tile-foot">
        <span className="price number">{formatMoney(sku.unitAmount, sku.currency)}</span>
        <button type="button" className="button small" disabled={left <= 0 || isBusy} onClick={add}>
          <span>
            {addText(wanted, left)}
            <span className="visually-hidden"> {sku.name}</span>
          </span>
        </button>
      </div>
    </li>
  );
}

function addText(wanted: number, left: number): string {
  if (left > 0) return wanted > 0 ? 'Add another' : 'Add';
  return wanted > 0 ? 'In your cart' : 'Sold out';
}

function StockChip({ sku: { available, onHand } }: { sku: Sku }) {
  if (onHand === 0) return <span className="chip">Sold out</span>;
  if (available === 0) return <span className="chip warn">All in carts</span>;
  if (available === 1) return <span className="chip bad">Last one</span>;
  return available <= FEW ? <span className="chip warn">{available} left</span> : null;
}

export function TileSkeleton() {
  return (
    <li className="tile card skeleton" aria-hidden>
      <div className="tile-picture" />
      <div className="tile-text">
        <h3>&nbsp;</h3>
        <p>&nbsp;</p>
      </div>
    </li>
  );
}
