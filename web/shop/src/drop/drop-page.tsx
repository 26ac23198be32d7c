import { useEffect } from 'react';
import { markFirstView } from '../../../common/first-view.js';
import { formatMoney } from '../../../common/money.js';
import { useObservable } from '../../../common/observable.js';
import { useSkus } from '../catalogue/use-skus.js';
import heron from '../content/pictures/heron.svg';
import { explain } from '../explain.js';
import { Empty, Loading } from '../layout/page-state.js';
import { usePageTitle } from '../layout/use-page-title.js';
import { CrowdPanel } from './crowd-panel.js';
import { Queue } from './queue.js';
import { StockMeter } from './stock-meter.js';
import { place, type Sale } from './ticket.js';
import { useSale } from './use-sale.js';
import './drop.css';

export function DropPage() {
  usePageTitle('Flash sale');
  const { sale, error, renew } = useSale();
  useEffect(() => {
    if (sale) markFirstView();
  }, [sale]);
  if (sale) return <Drop sale={sale} onRenew={renew} />;
  if (error === undefined) return <Loading text="Opening the doors" />;
  return (
    <Empty title="The sale cannot be shown">
      <p>{explain(error)}</p>
    </Empty>
  );
}

function Drop({ sale, onRenew }: { sale: Sale; onRenew: () => void }) {
  const [sku] = useSkus(sale.group ?? sale.id).value ?? [];
  const stored = useObservable(place);
  const mine = stored?.saleId === sale.id ? stored : null;
  return (
    <div className="drop">
      <img className="drop-picture" src={heron} alt="A heron at night, in front of the moon" />
      <div className="stack">
        <div className="page-head">
          <p className="show-when">Flash sale</p>
          <h1>Night heron</h1>
          <p className="quiet">
            A numbered print, 40 × 50 cm. {sku ? formatMoney(sku.unitAmount, sku.currency) : ''} More people want one
            than there are, so there is a queue: whoever joins before it opens takes part in a draw.
          </p>
        </div>
        {sku && <StockMeter sku={sku} />}
        {sku ? <Queue sale={sale} sku={sku} mine={mine} onRenew={onRenew} /> : <Loading text="Counting the prints" />}
        {sku && <CrowdPanel sale={sale} sku={sku} />}
      </div>
    </div>
  );
}
