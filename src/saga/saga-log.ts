import type { SagaPhase } from './saga-state.js';

/** What a step did or tried. */
export interface StepEntry {
  readonly step: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `execute` if absent. */
  readonly phase?: SagaPhase;
  /** `done` if absent. */
  readonly result?: 'prepared' | 'failed' | 'suspended' | 'retried' | 'in-doubt' | 'stuck';
  readonly attempt?: number;
  readonly ms?: number;
  readonly lockWaitMs?: number;
  readonly error?: string;
}

/** An event that a step reports, in the terms of its domain. */
export interface Note {
  readonly at: number;
  readonly kind: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The log is part of the saga's own row, so that progress and log are one guarded write. Lines are short. */
export type LogEntry = StepEntry | Note;

export function isStep(entry: LogEntry): entry is StepEntry {
  return 'step' in entry;
}

export function isNote(entry: LogEntry): entry is Note {
  return 'kind' in entry;
}

const MAX_LINES = 100;
const KEPT_FROM_START = 10;

/** Appends to the log and returns whether it was full: a long log loses attempts from its middle, never notes. */
export function appendToLog(log: LogEntry[], entry: LogEntry): boolean {
  const isFull = log.length >= MAX_LINES;
  if (isFull) {
    const spare = log.findIndex((line, index) => index >= KEPT_FROM_START && !isNote(line));
    if (spare >= 0) log.splice(spare, 1);
  }
  log.push(entry);
  return isFull;
}
