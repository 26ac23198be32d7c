/** Transitions as data: each state names the states it may move to; a state that names none is terminal. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>;

export function isTerminal<S extends string>(transitions: Transitions<S>, state: S): boolean {
  return transitions[state].length === 0;
}

export function canMove<S extends string>(transitions: Transitions<S>, from: S, to: S): boolean {
  return transitions[from].includes(to);
}

/** A move that the transition table does not have: a mistake of ours, never of a caller. */
export class IllegalMoveError extends Error {
  constructor(from: string, to: string) {
    super(`no state machine of ours moves from ${from} to ${to}`);
    this.name = 'IllegalMoveError';
  }
}

/** To stay is no move. */
export function assertMove<S extends string>(transitions: Transitions<S>, from: S, to: S): void {
  if (from !== to && !canMove(transitions, from, to)) throw new IllegalMoveError(from, to);
}

/** The states from which `to` may be entered. */
export function sourcesOf<S extends string>(transitions: Transitions<S>, to: S): S[] {
  return (Object.keys(transitions) as S[]).filter((from) => canMove(transitions, from, to));
}

/**
 * The WHERE of a guarded UPDATE that moves a row to a state: where it may come from, by the table. `except` are sources
 * that have a statement of their own. Throws where nothing is left: such an UPDATE could never land.
 */
export function guardOf<S extends string>(transitions: Transitions<S>, to: S, except: readonly S[] = []): S[] {
  const sources = sourcesOf(transitions, to).filter((from) => !except.includes(from));
  if (sources.length === 0) throw new IllegalMoveError('any other state', to);
  return sources;
}
