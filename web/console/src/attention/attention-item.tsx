import type { Schemas } from '@checkout-saga/client';
import { Link } from 'wouter';
import { Ago } from '../components/ago.js';
import { VerbButton } from '../components/verb-button.js';
import { sentence, shortId } from '../data/format.js';
import { DeadLetterMessage } from './dead-letter-message.js';

type Item = Schemas['AttentionItem'];

interface Props {
  readonly item: Item;
  /** What the group says already is not said again. */
  readonly why: string;
  /** Of its group: what the group foretells is about this one. */
  readonly isOnly: boolean;
  readonly recommended: string | null;
  readonly onDone: () => void;
}

/** What a verb does to a message is said once, with the group. */
function movesSomething({ effects }: Item['verbs'][number]): boolean {
  return effects.some(({ amount, lines }) => amount !== undefined || lines !== undefined);
}

export function AttentionItem({ item, why, isOnly, recommended, onDone }: Props) {
  const { subjectKind, subject, endpointId, orderId, since, problem, verbs } = item;
  const foretold = verbs.find(({ verb }) => verb === recommended);
  const own = problem.replace(why, '').replace(/:\s*$/, '');
  return (
    <li>
      <div className="attention-item">
        <span className="attention-what">
          <Name item={item} />
          <span className="quiet small">
            <Ago at={since} />
          </span>
        </span>
        {own !== '' && <span className="attention-problem">{sentence(own)}</span>}
        {!isOnly && foretold && movesSomething(foretold) && (
          <span className="attention-problem quiet">{sentence(foretold.summary)}</span>
        )}
        {subjectKind === 'dead-letter' && <DeadLetterMessage id={subject} />}
      </div>
      <div className="page-tools">
        {verbs.map((preview) => (
          <VerbButton
            key={preview.verb}
            subject={{ kind: subjectKind, id: subject, orderId, endpointId }}
            preview={preview}
            onDone={onDone}
          />
        ))}
      </div>
    </li>
  );
}

function Name({ item: { subjectKind, subject, orderId } }: { item: Item }) {
  if (orderId !== null)
    return (
      <Link className="id" href={`/orders/${orderId}`}>
        order {shortId(orderId)}
      </Link>
    );
  if (subjectKind === 'saga')
    return (
      <Link className="id" href={`/sagas/${subject}`}>
        saga {shortId(subject)}
      </Link>
    );
  return subjectKind === 'violation' ? null : <span className="id">{shortId(subject)}</span>;
}
