import { sentence, shortId, words } from '../data/format.js';
import { useClient } from '../session/session.js';
import { captureField } from './capture-field.js';
import { refundField } from './refund-field.js';
import { apply, type Preview, type Subject } from './verb-calls.js';
import { VerbDialog } from './verb-dialog.js';

interface Props {
  readonly subject: Subject;
  readonly preview: Preview;
  readonly isPrimary?: boolean;
  readonly onDone?: () => void;
}

interface VerbText {
  readonly label: string;
  readonly title: string;
  readonly about?: string;
}

const TEXTS: Readonly<Record<string, VerbText>> = {
  retry: { label: 'Retry', title: 'Try it again', about: 'It goes on from where it stopped.' },
  compensate: { label: 'Compensate', title: 'Turn it back', about: 'What it has done is undone, step by step.' },
  resolve: {
    label: 'Resolve',
    title: 'Close it as settled by hand',
    about: 'The provider is not called any more. Do this only if its part was settled in another way.',
  },
  capture: {
    label: 'Capture',
    title: 'Take what was authorised',
    about: 'The customer pays now. It can be captured once.',
  },
  refund: { label: 'Refund', title: 'Refund the customer', about: 'The order stays confirmed, the goods stay sold.' },
  cancel: { label: 'Cancel', title: 'Cancel the order' },
  replay: { label: 'Replay', title: 'Replay it' },
  discard: { label: 'Discard', title: 'Discard it', about: 'It is closed, and nothing will process it.' },
};

const FIELDS: Readonly<Record<string, typeof refundField>> = { capture: captureField, refund: refundField };

/** A verb on one subject: its effects are said before it is done. */
export function VerbButton({ subject, preview, isPrimary = false, onDone }: Props) {
  const client = useClient();
  const { verb, effects } = preview;
  const { label, title, about } = TEXTS[verb] ?? { label: verb, title: verb };
  const field = FIELDS[verb]?.(effects);
  return (
    <VerbDialog
      label={label}
      tone={isPrimary ? 'primary' : 'plain'}
      title={title}
      subject={nameOf(subject)}
      {...(about !== undefined && { about })}
      effects={effects}
      {...(field && { field })}
      confirm={label}
      act={(confirmed) => apply(client, subject, preview, confirmed)}
      {...(onDone && { onDone })}
    />
  );
}

function nameOf({ kind, id, orderId }: Subject): string {
  if (kind === 'order') return `Order ${shortId(id)}`;
  return `${sentence(words(kind))} ${shortId(id)}${orderId ? `, of order ${shortId(orderId)}` : ''}`;
}
