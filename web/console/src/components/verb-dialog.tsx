import { useEffect, useId } from 'react';
import { openVerb, type VerbRequest } from './verb-request.js';

export interface VerbDialogProps extends VerbRequest {
  readonly label: string;
  readonly tone?: 'primary' | 'plain';
}

/** The button of a verb. Its dialog says what the verb will do, asks why, and does it once. */
export function VerbDialog({ label, tone = 'plain', ...request }: VerbDialogProps) {
  const id = useId();
  // What the dialog says and does is as new as the page.
  useEffect(() => {
    const open = openVerb.get();
    if (open?.id === id) openVerb.set({ ...open, request, isGone: false });
  });
  useEffect(
    () => () => {
      const open = openVerb.get();
      if (open?.id === id) openVerb.set({ ...open, isGone: true });
    },
    [id],
  );
  return (
    <button
      type="button"
      className={`button small ${tone === 'primary' ? 'primary' : ''}`}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => openVerb.set({ opener: currentTarget, id, request, isGone: false })}
    >
      {label}
    </button>
  );
}
