import { isNote, type LogEntry, type StepEntry } from '../../saga/saga-log.js';
import { isCompensating } from '../../saga/saga-state.js';

export const SPAN_KINDS = [
  'lock',
  'step',
  'call',
  'commit',
  'wait',
  'takeover',
  'note',
  'callback',
  'delivery',
  'action',
] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

/** An event in the life of an order, with its start and end in milliseconds since 1970. Both are equal for a mark. */
export interface Span {
  /** The lane that it belongs to: the saga's id, or `callbacks`, `deliveries`, `operators`. */
  readonly lane: string;
  readonly kind: SpanKind;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** During compensation. */
  readonly isBack?: boolean | undefined;
  readonly result?: string | undefined;
  readonly error?: string | undefined;
  /** The instance that did it. */
  readonly by?: string | undefined;
  readonly attempt?: number | undefined;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

export interface LoggedSaga {
  readonly id: string;
  readonly log: readonly LogEntry[];
  /** Stands for the driver of sagas that are older than the drivers in logs. */
  readonly owner: string | null;
}

/** Entries that end a transaction of the saga: the next entry was stored later. */
const ENDS_TRANSACTION: ReadonlySet<string | undefined> = new Set([
  'prepared',
  'suspended',
  'retried',
  'in-doubt',
  'stuck',
]);

/** A saga's log as spans. A log entry has the time at which something ended and how long it took. */
export function spansOfSaga({ id, log, owner }: LoggedSaga): Span[] {
  const spans: Span[] = [];
  let by = owner?.split(' ').at(-1);
  let last: StepEntry | undefined;
  /** Every entry of a transaction repeats the wait for its locks. The wait is drawn once. */
  let isLockDrawn = false;
  log.forEach((entry, index) => {
    const at = { lane: id, by: entry.by ?? by };
    if (entry.by !== undefined && by !== undefined && entry.by !== by && last) {
      const detail = { before: by };
      spans.push({ ...at, kind: 'takeover', name: 'taken over', from: last.at, to: startOf(entry), detail });
    }
    by = entry.by ?? by;
    if (isNote(entry)) {
      spans.push({ ...at, kind: 'note', name: entry.kind, from: entry.at, to: entry.at, detail: entry.detail });
      return;
    }
    spans.push(...spansOfStep(entry, last, at, isLockDrawn));
    isLockDrawn = entry.lockWaitMs !== undefined;
    const isEnd = ENDS_TRANSACTION.has(entry.result) || !log.slice(index + 1).some((line) => !isNote(line));
    if (isEnd) {
      spans.push(commitAfter(entry, nextStep(log, index), at));
      isLockDrawn = false;
    }
    last = entry;
  });
  return spans;
}

type Place = { readonly lane: string; readonly by: string | undefined };

function spansOfStep(entry: StepEntry, last: StepEntry | undefined, at: Place, isLockDrawn: boolean): Span[] {
  const { step, phase = 'execute', result = 'done', error, attempt, lockWaitMs = 0, callMs } = entry;
  const isBack = isCompensating(phase);
  const from = startOf(entry);
  const told = { isBack, attempt, error };
  const spans: Span[] = [];
  if (last?.result === 'suspended')
    spans.push({ ...at, kind: 'wait', name: `${step} waits`, from: last.at, to: callStart(entry) });
  if (lockWaitMs > 0 && !isLockDrawn)
    spans.push({ ...at, kind: 'lock', name: `lock for ${step}`, from: from - lockWaitMs, to: from, isBack });
  if (callMs !== undefined)
    spans.push({ ...at, kind: 'call', name: step, from: from - callMs, to: from, isBack, result: 'answered' });
  if (isFailedCall(entry)) {
    spans.push({ ...at, kind: 'call', name: step, from: last?.at ?? from, to: entry.at, ...told, result });
    return spans;
  }
  spans.push({ ...at, kind: 'step', name: step, from, to: entry.at, ...told, result });
  return spans;
}

/** The commit and the lock of the call lie between the write and the call. */
function commitAfter(entry: StepEntry, next: StepEntry | undefined, at: Place): Span {
  const isBeforeCall = entry.result === 'prepared' && next?.callMs !== undefined;
  const to = isBeforeCall ? Math.max(entry.at, callStart(next)) : entry.at;
  return { ...at, kind: 'commit', name: 'commit', from: entry.at, to };
}

function nextStep(log: readonly LogEntry[], index: number): StepEntry | undefined {
  return log.slice(index + 1).find((line): line is StepEntry => !isNote(line));
}

/** A failed attempt has no duration. It began when the previous entry was written. */
function isFailedCall({ result, phase }: StepEntry): boolean {
  return (result === 'retried' || result === 'in-doubt') && (phase === 'call' || phase === 'undo-call');
}

function startOf(entry: LogEntry): number {
  return isNote(entry) ? entry.at : entry.at - (entry.ms ?? 0);
}

function callStart(entry: StepEntry): number {
  return startOf(entry) - (entry.callMs ?? 0);
}
