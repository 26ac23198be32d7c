/** Transitions as data: each state names the states it may move to; a state that names none is terminal. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>;

export function isTerminal<S extends string>(transitions: Transitions<S>, state: S): boolean {
  return transitions[state].length === 0;
}

export function canMove<S extends string>(transitions: Transitions<S>, from: S, to: S): boolean {
  return transitions[from].includes(to);
}

/** The states from which `to` may be entered: the WHERE of a guarded UPDATE. */
export function sourcesOf<S extends string>(transitions: Transitions<S>, to: S): S[] {
  return (Object.keys(transitions) as S[]).filter((from) => canMove(transitions, from, to));
}
