import type { Sku } from '@checkout-saga/client';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { markFirstView } from '../../../common/first-view.js';
import heron from '../content/pictures/heron.svg';
import { shelfPlace } from '../content/products.js';
import { SHOWS } from '../content/shows.js';
import { Empty } from '../layout/page-state.js';
import { usePageTitle } from '../layout/use-page-title.js';
import { useShop } from '../shop.js';
import { ProductTile, TileSkeleton } from './product-tile.js';
import { ShowCard } from './show-card.js';
import { useSkus } from './use-skus.js';
import './catalogue.css';

/** The group of the demo catalogue that is on the shelf. */
const GROUP = 'demo';

export function HomePage() {
  usePageTitle('Goods and seats');
  const { settings } = useShop();
  const { value: skus, error } = useSkus(GROUP);
  useEffect(() => {
    if (skus) markFirstView();
  }, [skus]);
  return (
    <>
      <section className="hero">
        <div className="hero-text">
          <h1>Stay for the credits.</h1>
          <p>A small cinema, and the shop in its foyer. Take a seat, or take something home.</p>
        </div>
        <div className="hero-cards">
          {SHOWS.map((show) => (
            <ShowCard key={show.group} show={show} />
          ))}
          {settings.hasDrop && (
            <Link href="/drop" className="hero-card">
              <img src={heron} alt="" />
              <span className="hero-card-text">
                <span className="chip warn">Flash sale</span>
                <strong>Night heron</strong>
                <span>Twelve prints, one queue</span>
              </span>
            </Link>
          )}
        </div>
      </section>
      <section aria-labelledby="goods">
        <h2 id="goods" className="section-title">
          From the foyer
        </h2>
        <Shelf skus={skus} isBroken={error !== undefined} />
      </section>
    </>
  );
}

function Shelf({ skus, isBroken }: { skus: readonly Sku[] | undefined; isBroken: boolean }) {
  if (isBroken) {
    return (
      <Empty title="The shelf cannot be shown">
        <p>The service does not answer this page. Reload it in a moment.</p>
      </Empty>
    );
  }
  if (skus?.length === 0) {
    return (
      <Empty title="The shelf is empty">
        <p>
          This shop shows the SKUs of the group <code>{GROUP}</code>. A service with its embedded database has them from
          the first start on.
        </p>
      </Empty>
    );
  }
  return (
    <ul className="tiles">
      {skus
        ? [...skus]
            .sort((a, b) => shelfPlace(a.sku) - shelfPlace(b.sku))
            .map((sku) => <ProductTile key={sku.sku} sku={sku} />)
        : Array.from({ length: 8 }, (_, index) => <TileSkeleton key={index} />)}
    </ul>
  );
}
