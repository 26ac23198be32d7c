import { useEffect } from 'react';
import { markFirstView } from '../../../common/first-view.js';
import { useSkus } from '../catalogue/use-skus.js';
import { showOf, SHOWS } from '../content/shows.js';
import { Empty, Loading } from '../layout/page-state.js';
import { usePageTitle } from '../layout/use-page-title.js';
import { SeatLegend } from './seat-legend.js';
import { SeatMap } from './seat-map.js';
import { SeatPanel } from './seat-panel.js';
import { ShowTabs } from './show-tabs.js';
import './seats.css';

export function ShowPage({ group }: { group: string }) {
  const show = showOf(group);
  usePageTitle(show?.title ?? 'Seats');
  const { value: seats, error } = useSkus(group);
  useEffect(() => {
    if (seats) markFirstView();
  }, [seats]);
  if (!show || seats?.length === 0 || error !== undefined) {
    return (
      <Empty title="This show is not on">
        <p>
          {error === undefined
            ? 'Its seats are not in the catalogue.'
            : 'Its seats cannot be shown. Reload in a moment.'}
        </p>
      </Empty>
    );
  }
  return (
    <>
      <ShowTabs shows={SHOWS} current={group} />
      <div className="show-head">
        <img src={show.picture} alt="" />
        <div>
          <p className="show-when">
            {show.when} · {show.hall}
          </p>
          <h1>{show.title}</h1>
          <p className="quiet">
            {show.blurb} {show.runtime}.
          </p>
        </div>
      </div>
      {seats ? (
        <div className="columns">
          <section className="card hall" aria-label="Seat map">
            <SeatMap seats={seats} aisles={show.aisles} />
            <SeatLegend seats={seats} />
          </section>
          <SeatPanel group={group} seats={seats} />
        </div>
      ) : (
        <Loading text="Looking at the hall" />
      )}
    </>
  );
}
