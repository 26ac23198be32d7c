import type { Schemas } from '@checkout-saga/client';
import { useEffect } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { Ago } from '../components/ago.js';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { StateChip } from '../components/state-chip.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';
import './search.css';

type Hit = Schemas['SearchHit'];

/** Whatever the operator had at hand. If there is only one, it is opened. */
export function SearchPage() {
  const client = useClient();
  const [params] = useSearchParams();
  const q = params.get('q') ?? '';
  const hits = useLoaded(q, (signal) => client.search({ q }, { signal }));
  const [, navigate] = useLocation();
  const only = hits.value?.items.length === 1 ? hits.value.items[0] : undefined;
  useEffect(() => {
    if (only) navigate(linkOf(only), { replace: true });
  }, [only, navigate]);
  return (
    <>
      <PageHead title={`“${q}”`} about="Orders, sagas and SKUs that this leads to." />
      <Loading of={hits}>
        {({ items, notes }) => (
          <div className="stack">
            {notes.map((note) => (
              <p key={note} className="notice warn">
                {note}
              </p>
            ))}
            {items.length === 0 ? (
              <div className="card empty">
                <strong>Nothing is known under that</strong>
                <span className="quiet">
                  Ids, keys and SKUs have to be whole; an e-mail may be upper or lower case.
                </span>
              </div>
            ) : (
              <ul className="card hits">
                {items.map((hit) => (
                  <li key={`${hit.kind} ${hit.id} ${hit.matchedBy}`}>
                    <Link href={linkOf(hit)}>
                      <span className="hit-title">
                        <strong>{hit.kind}</strong> {hit.title}
                      </span>
                      {hit.state !== null && <StateChip state={hit.state} />}
                      <span className="quiet small">by {hit.matchedBy}</span>
                      {hit.at !== null && <Ago at={hit.at} />}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </Loading>
    </>
  );
}

function linkOf({ kind, id }: Hit): string {
  if (kind === 'sku') return `/stock/${encodeURIComponent(id)}`;
  return kind === 'order' ? `/orders/${id}` : `/sagas/${id}`;
}
