import type { Schemas } from '@checkout-saga/client';
import { useEffect } from 'react';
import { markFirstView } from '../../../common/first-view.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { useLive } from '../session/live.js';
import { AttentionGroup } from './attention-group.js';
import './attention.css';

type Group = Schemas['AttentionGroup'];

/** In this order: what is with money and goods is worse than a message that is late. */
const SECTIONS: readonly { readonly title: string; readonly kinds: readonly Group['kind'][] }[] = [
  { title: 'Money and stock', kinds: ['stuck-saga', 'payment-in-doubt', 'broken-invariant', 'authorization-expiring'] },
  { title: 'Messages', kinds: ['dead-callback', 'dead-letter', 'dead-delivery'] },
];

/** What waits for a person: the first thing that an operator sees. */
export function AttentionPage() {
  const { attention } = useLive();
  const isShown = attention.value !== undefined;
  useEffect(() => {
    if (isShown) requestAnimationFrame(markFirstView);
  }, [isShown]);
  return (
    <>
      <PageHead
        title="Needs a person"
        about="By cause. Every verb says what it will do to money and stock before it is done."
      />
      <Loading of={attention}>
        {({ groups }) => (groups.length === 0 ? <Calm /> : <Sections groups={groups} onDone={attention.reload} />)}
      </Loading>
    </>
  );
}

function Sections({ groups, onDone }: { groups: readonly Group[]; onDone: () => void }) {
  const known = SECTIONS.flatMap(({ kinds }) => kinds);
  const sections = SECTIONS.map(({ title, kinds }, index) => ({
    title,
    groups: groups.filter(({ kind }) => kinds.includes(kind) || (index === 0 && !known.includes(kind))),
  }));
  return sections
    .filter((section) => section.groups.length > 0)
    .map((section) => (
      <section key={section.title} className="attention-section" aria-label={section.title}>
        <h2 className="section-name">{section.title}</h2>
        <div className="stack">
          {section.groups.map((group) => (
            <AttentionGroup key={group.cause} group={group} onDone={onDone} />
          ))}
        </div>
      </section>
    ));
}

function Calm() {
  return (
    <div className="card empty">
      <strong>Nothing needs you</strong>
      <span className="quiet">No saga is stuck, no payment in doubt, nothing dead, and every invariant holds.</span>
    </div>
  );
}
