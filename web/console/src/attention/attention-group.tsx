import type { Schemas } from '@checkout-saga/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { Ago } from '../components/ago.js';
import { EffectList } from '../components/effect-list.js';
import { formatCount, sentence } from '../data/format.js';
import { AttentionItem } from './attention-item.js';

type Group = Schemas['AttentionGroup'];

/** More of a kind are alike: they are shown when they are asked for. */
const FEW = 3;

/** One cause: why it is here, what to do, and what that will do. */
export function AttentionGroup({ group, onDone }: { group: Group; onDone: () => void }) {
  const { title, why, count, oldestAt, items, recommended } = group;
  return (
    <section className="card attention" aria-label={title}>
      <header className="attention-head">
        <h3>{title}</h3>
        <p className="attention-since">
          <span className="chip bad number">{formatCount(count)}</span>
          <span className="quiet">
            {count === 1 ? '' : 'the oldest '}
            <Ago at={oldestAt} />
          </span>
        </p>
        <p className="attention-why">{sentence(why)}</p>
      </header>
      <Advice group={group} />
      <Items items={items} count={count} why={why} recommended={recommended} onDone={onDone} />
    </section>
  );
}

function Advice({ group: { advice, recommended, effects, items, count, bulk, kind } }: { group: Group }) {
  const isPart = items.length < count;
  return (
    <div className="attention-advice">
      <p>{advice}</p>
      {recommended !== null && (
        <div className="foretold">
          <h4>
            What “{recommended}” will do{isPart ? ` to the newest ${items.length}` : ''}
          </h4>
          <EffectList effects={effects} />
        </div>
      )}
      {bulk && count > 1 && (
        <Link className="button small primary" href={planLink(bulk)}>
          {sentence(recommended ?? 'retry')} all {formatCount(count)} …
        </Link>
      )}
      {kind === 'broken-invariant' && (
        <Link className="button small" href="/checks">
          See the checks
        </Link>
      )}
    </div>
  );
}

interface ItemsProps {
  readonly items: Group['items'];
  readonly count: number;
  readonly why: string;
  readonly recommended: string | null;
  readonly onDone: () => void;
}

function Items({ items, count, why, recommended, onDone }: ItemsProps) {
  const [areAllShown, showAll] = useState(false);
  const shown = areAllShown || items.length <= FEW + 1 ? items : items.slice(0, FEW);
  const hidden = items.length - shown.length;
  return (
    <div className="attention-list">
      <ul className="attention-items">
        {shown.map((item) => (
          <AttentionItem
            key={item.subject}
            item={item}
            why={why}
            isOnly={items.length === 1}
            recommended={recommended}
            onDone={onDone}
          />
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" className="link-button small attention-more" onClick={() => showAll(true)}>
          Show {formatCount(hidden)} more{items.length < count ? ` of ${formatCount(count - shown.length)}` : ''}
        </button>
      )}
    </div>
  );
}

function planLink({ action, filter }: NonNullable<Group['bulk']>): string {
  return `/bulk/new?${new URLSearchParams({ action, ...filter })}`;
}
