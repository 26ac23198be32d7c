import type { ReactNode } from 'react';
import { createObservable } from '../../../common/observable.js';
import type { Effect } from './effect-list.js';

/** What was typed into the field of a dialog: what it means, and whether it can be done. */
export interface Reading {
  readonly text: ReactNode;
  readonly isWrong?: boolean;
  readonly canConfirm: boolean;
  /** What the verb will do with it, where that depends on it. */
  readonly effects?: readonly Effect[];
}

/** A number that a verb takes beside its reason. */
export interface VerbField {
  readonly label: string;
  readonly initial?: string;
  readonly placeholder?: string;
  readonly read: (text: string) => Reading;
}

/** What was confirmed. */
export interface Confirmed {
  readonly reason: string;
  /** What was typed into the field, if there is one. */
  readonly value: string;
  /** The same for every attempt: what may have been done is asked for again, never done again. */
  readonly idempotencyKey: string;
}

/** A verb that is about to be done: all that its dialog says and does. */
export interface VerbRequest {
  readonly title: string;
  /** What it is done to, so that nobody confirms it for another one. */
  readonly subject?: ReactNode;
  readonly about?: ReactNode;
  readonly effects?: readonly Effect[];
  readonly field?: VerbField;
  readonly confirm: string;
  /** Does it, and says what came of it. */
  readonly act: (confirmed: Confirmed) => Promise<string>;
  readonly onDone?: () => void;
}

export interface OpenVerb {
  /** The button that opened it: the focus goes back there. */
  readonly opener: HTMLElement | null;
  readonly id: string;
  readonly request: VerbRequest;
  /** The button is gone: the page that was read since says that the verb is not possible any more. */
  readonly isGone: boolean;
}

/**
 * The one verb whose dialog is open. It does not live in the button: a page that reads anew every second may take the button
 * away while its operator types a reason, and must not take the dialog with it.
 */
export const openVerb = createObservable<OpenVerb | undefined>(undefined);
