import type { Schemas } from '@checkout-saga/client';
import { Ago } from '../components/ago.js';
import { Loading } from '../components/loading.js';
import { countOf, formatTime, words } from '../data/format.js';
import { useLoaded } from '../data/use-loaded.js';
import { useClient } from '../session/session.js';
import { Violations } from './violations.js';

type Interval = Schemas['InvariantInterval'];

const EVERY_MS = 15_000;

/** The latest result of every check, and what was there before. */
export function InvariantTable() {
  const client = useClient();
  const history = useLoaded('history', (signal) => client.listInvariantHistory({ limit: 200 }, { signal }), EVERY_MS);
  return (
    <section className="card table-card" aria-label="Invariants">
      <h2 className="table-title">Invariants</h2>
      <Loading of={history}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet table-note">No check has run yet. The first comes a minute after the start.</p>
          ) : (
            <ul className="checks">
              {byName(items).map(([name, intervals]) => (
                <Check key={name} name={name} intervals={intervals} />
              ))}
            </ul>
          )
        }
      </Loading>
    </section>
  );
}

/** The broken ones first. */
function byName(items: readonly Interval[]): [string, readonly Interval[]][] {
  const names = [...new Set(items.map(({ name }) => name))];
  const grouped = names.map((name): [string, readonly Interval[]] => [
    name,
    items.filter((item) => item.name === name),
  ]);
  return grouped.sort(([, [a]], [, [b]]) => Number(a?.ok ?? true) - Number(b?.ok ?? true));
}

function Check({ name, intervals }: { name: string; intervals: readonly Interval[] }) {
  const [latest, ...earlier] = intervals;
  if (!latest) return null;
  const broken = earlier.filter(({ ok }) => !ok);
  return (
    <li>
      <div className="check-line">
        <span className={`chip ${latest.ok ? 'good' : 'bad'}`}>{latest.ok ? 'holds' : 'broken'}</span>
        <span className="check-name">{words(name)}</span>
        <span className="quiet small">
          {latest.ok ? 'since' : 'broken since'} {formatTime(latest.firstAt)}, {countOf(latest.rounds, 'check')}, the
          last <Ago at={latest.lastAt} />
        </span>
      </div>
      {!latest.ok && <Violations interval={latest} />}
      {broken.length > 0 && (
        <details>
          <summary>broken before, {broken.length === 1 ? 'once' : `${broken.length} times`}</summary>
          {broken.map((interval) => (
            <div key={interval.id}>
              <p className="quiet small">
                {formatTime(interval.firstAt)} until {formatTime(interval.lastAt)}
              </p>
              <Violations interval={interval} />
            </div>
          ))}
        </details>
      )}
    </li>
  );
}
