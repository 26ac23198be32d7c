import type { Schemas } from '@checkout-saga/client';
import { words } from '../data/format.js';

export type Span = Schemas['AxisSpan'];

/** A span with its place in the list, so that the picture and the list can point at each other. */
export interface Placed {
  readonly span: Span;
  readonly index: number;
}

export interface Row {
  readonly key: string;
  readonly label: string;
  /** The title of a saga, or a lane of its own. */
  readonly isHead: boolean;
  readonly placed: readonly Placed[];
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const LANES = ['callbacks', 'deliveries', 'operators'] as const;
/** What is drawn in the row of its step. */
const IN_STEP: ReadonlySet<Span['kind']> = new Set(['lock', 'step', 'call', 'wait']);

/** A row for every saga with what happened to it, below it one for each of its steps; then what came from outside. */
export function rowsOf(spans: readonly Span[], sagas: readonly Named[]): Row[] {
  const placed = spans.map((span, index) => ({ span, index }));
  const ofSagas = sagas.flatMap(({ id, name }) => sagaRows(id, name, placed));
  const others = LANES.flatMap((lane): Row[] => {
    const own = placed.filter(({ span }) => span.lane === lane);
    return own.length === 0 ? [] : [{ key: lane, label: lane, isHead: true, placed: own }];
  });
  return [...ofSagas, ...others];
}

function sagaRows(id: string, name: string, placed: readonly Placed[]): Row[] {
  const own = placed.filter(({ span }) => span.lane === id);
  const steps = [...new Set(own.filter(({ span }) => IN_STEP.has(span.kind)).map(({ span }) => stepOf(span)))];
  return [
    { key: id, label: words(name), isHead: true, placed: own.filter(({ span }) => !IN_STEP.has(span.kind)) },
    ...steps.map((step) => ({
      key: `${id} ${step}`,
      label: words(step),
      isHead: false,
      placed: own.filter(({ span }) => IN_STEP.has(span.kind) && stepOf(span) === step),
    })),
  ];
}

/** The wait for a lock, or for somebody, belongs to the step that waits. */
function stepOf({ name }: Span): string {
  return name.replace(/^lock for /, '').replace(/ waits$/, '');
}

const KINDS: Readonly<Record<Span['kind'], string>> = {
  lock: 'waits for a lock',
  step: 'step',
  call: 'call to the provider',
  commit: 'commit',
  wait: 'waits',
  takeover: 'taken over',
  note: 'note',
  callback: 'callback',
  delivery: 'delivery',
  action: 'operator',
};

/** `process-payment: call to the provider, declined` */
export function describe({ kind, name, result, isBack }: Span): string {
  const what = kind === 'step' && isBack ? 'compensation' : KINDS[kind];
  if (kind === 'note') return words(name);
  if (kind === 'takeover') return 'another instance takes it over';
  if (kind === 'commit') return 'commit';
  const outcome = result === undefined || result === 'done' || result === 'answered' ? '' : `, ${words(result)}`;
  return `${words(name.replace(/^lock for /, '').replace(/ waits$/, ''))}: ${what}${outcome}`;
}

export function isFailed({ error, result }: Span): boolean {
  return error !== undefined || result === 'failed' || result === 'stuck' || result === 'dead';
}

export function isIdle({ kind }: Span): boolean {
  return kind === 'wait' || kind === 'takeover';
}
