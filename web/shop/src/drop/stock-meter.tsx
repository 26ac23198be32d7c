import type { Sku } from '@checkout-saga/client';

/** A few more than a drop has: the demo sells a dozen. */
const MAX_SHOWN = 24;

export function StockMeter({ sku }: { sku: Sku }) {
  const sold = Math.max(0, SOLD_OF - sku.onHand);
  const kinds = [
    ...Array<string>(sold).fill('sold'),
    ...Array<string>(sku.reserved).fill('held'),
    ...Array<string>(sku.available).fill('free'),
  ];
  return (
    <div className="meter" role="img" aria-label={`${sku.available} left, ${sku.reserved} held, ${sold} sold`}>
      <div className="meter-units">
        {kinds.slice(0, MAX_SHOWN).map((kind, index) => (
          <span key={index} className={kind} />
        ))}
      </div>
      <p className="number">
        <strong>{sku.available}</strong> left{' '}
        <span className="quiet">
          · {sku.reserved} held · {sold} sold
        </span>
      </p>
    </div>
  );
}

const SOLD_OF = 12;
