import { Link } from 'wouter';
import { Ago } from '../components/ago.js';
import { StateChip } from '../components/state-chip.js';
import { VerbButton } from '../components/verb-button.js';
import { shortId, words } from '../data/format.js';
import type { Dossier } from './order-page.js';

type SagaOfOrder = Dossier['sagas'][number];

/** A saga that has not ended: where it stands, why, and what can be done. */
export function SagaPanel({ saga, onDone }: { saga: SagaOfOrder; onDone: () => void }) {
  const { id, name, subject, state, verbs, updatedAt, owner, attempts, log } = saga;
  const step = log.at(-1)?.step;
  const problem = log.findLast(({ error }) => error !== undefined)?.error;
  return (
    <section className={`card panel saga-panel ${state === 'STUCK' ? 'stuck' : ''}`} aria-label={`Saga ${name}`}>
      <div className="saga-panel-text">
        <h2 className="panel-title">
          <Link className="id" href={`/sagas/${id}`}>
            {words(name)} {shortId(id)}
          </Link>{' '}
          <StateChip state={state} />
        </h2>
        {state === 'STUCK' ? (
          <p>
            It gave up at <strong>{words(step ?? 'its step')}</strong>
            {problem === undefined ? '' : ': '}
            {problem !== undefined && <span className="saga-problem">{problem}</span>}
          </p>
        ) : (
          <p className="quiet">
            At {words(step ?? 'its first step')}
            {attempts > 0 ? `, ${attempts} failed attempts` : ''}
            {owner === null ? '' : `, driven by ${owner}`} · <Ago at={updatedAt} />
          </p>
        )}
      </div>
      <div className="page-tools">
        {verbs.map((preview, index) => (
          <VerbButton
            key={preview.verb}
            subject={{ kind: 'saga', id, orderId: subject }}
            preview={preview}
            isPrimary={state === 'STUCK' && index === 0}
            onDone={onDone}
          />
        ))}
      </div>
    </section>
  );
}
