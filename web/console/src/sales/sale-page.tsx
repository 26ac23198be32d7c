import type { Answer } from '@checkout-saga/client';
import { Link } from 'wouter';
import { Fact } from '../components/fact.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { StateChip } from '../components/state-chip.js';
import { Tile } from '../components/tile.js';
import { countOf, formatCount, formatDuration, formatRate, formatTime } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';
import { SaleAudit } from './sale-audit.js';
import { SaleChart } from './sale-chart.js';
import { SaleStock } from './sale-stock.js';
import { SaleVerbs } from './sale-verbs.js';

export type Sale = Answer<'getSale'>;

const EVERY_MS = 1_500;

/** One sale: how its queue moves, what is left to sell, and the verbs that change both. */
export function SalePage({ id }: { id: string }) {
  const client = useClient();
  const read = async (signal: AbortSignal) => ({ sale: await client.getSale(id, { signal }), at: Date.now() });
  const loaded = useLoaded(id, read, EVERY_MS);
  return <Loading of={loaded}>{({ sale, at }) => <SaleView sale={sale} readAt={at} reload={loaded.reload} />}</Loading>;
}

function SaleView({ sale, readAt, reload }: { sale: Sale; readAt: number; reload: () => void }) {
  const { id, state, startsAt, endsAt } = sale;
  return (
    <>
      <PageHead
        title={id}
        about={
          <span className="head-facts">
            <StateChip state={state} />
            <span>{state === 'SCHEDULED' ? `starts ${formatTime(startsAt)}` : `since ${formatTime(startsAt)}`}</span>
            {endsAt !== null && <span>until {formatTime(endsAt)}</span>}
          </span>
        }
      >
        <SaleVerbs sale={sale} reload={reload} />
      </PageHead>
      <div className="stack">
        <SaleTiles sale={sale} />
        <SaleChart sale={sale} readAt={readAt} />
        <div className="columns">
          <Terms sale={sale} />
          <SaleStock sale={sale} />
        </div>
        <SaleAudit entries={sale.audit ?? []} />
      </div>
    </>
  );
}

function Terms({ sale: { group, skus = [], maxActive, ticketTtlSeconds, admitPerSecond } }: { sale: Sale }) {
  return (
    <section className="card panel" aria-label="Terms">
      <h2 className="panel-title">Terms</h2>
      <dl className="facts">
        <Fact name="Called a second">{formatRate(admitPerSecond)}</Fact>
        <Fact name="May buy at once">{formatCount(maxActive)}</Fact>
        <Fact name="Time to buy">{formatDuration(ticketTtlSeconds * 1_000)}</Fact>
        <Fact name="What is sold">
          {group === undefined ? (
            countOf(skus.length, 'SKU')
          ) : (
            <Link className="id" href={`/stock?group=${encodeURIComponent(group)}`}>
              {group}
            </Link>
          )}
        </Fact>
      </dl>
    </section>
  );
}

function SaleTiles({ sale: { tickets, admitPerSecond, state, maxActive } }: { sale: Sale }) {
  const { issued, waiting, admitted, active, bought } = tickets;
  const isFull = active >= maxActive;
  const converted = admitted === 0 ? '–' : `${Math.round((bought / admitted) * 100)} %`;
  return (
    <ul className="tiles">
      <Tile name="Waiting" value={formatCount(waiting)}>
        of {formatCount(issued)} who came
        {state === 'RUNNING' &&
          waiting > 0 &&
          `; about ${formatDuration((waiting / admitPerSecond) * 1_000)} at this rate`}
      </Tile>
      <Tile name="May buy now" value={formatCount(active)}>
        {isFull ? 'as many as there is room for: the next waits for one of them' : `room for ${formatCount(maxActive)}`}
      </Tile>
      <Tile name="Called so far" value={formatCount(admitted)}>
        {state === 'PAUSED' ? 'nobody is called while it is paused' : `${formatRate(admitPerSecond)} a second at most`}
      </Tile>
      <Tile name="Bought" value={formatCount(bought)}>
        {converted} of those who were called
      </Tile>
    </ul>
  );
}
