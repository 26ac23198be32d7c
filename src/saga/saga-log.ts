import type { PhaseName } from './saga-state.js';

interface Line {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The instance that drives the saga from this line on. On the first line of each driver only: lines are many. */
  readonly by?: string | undefined;
  /** The name of the saga's own span, on the first line of a saga that is traced: see saga-trace.ts. */
  readonly trace?: string | undefined;
}

/** What a step did or tried. */
export interface StepEntry extends Line {
  readonly step: string;
  /** `execute` if absent; as the database and clients name it. */
  readonly phase?: PhaseName | undefined;
  /** `done` if absent. */
  readonly result?: 'prepared' | 'failed' | 'suspended' | 'retried' | 'in-doubt' | 'stuck' | undefined;
  readonly attempt?: number | undefined;
  readonly ms?: number | undefined;
  readonly lockWaitMs?: number | undefined;
  /** How long the other side took to answer. */
  readonly callMs?: number | undefined;
  readonly error?: string | undefined;
}

/** An event that a step reports, in the terms of its domain. */
export interface Note extends Line {
  readonly kind: string;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

/** The log is part of the saga's own row, so that progress and log are one guarded write. Lines are short. */
export type LogEntry = StepEntry | Note;

export function isStep(entry: LogEntry): entry is StepEntry {
  return 'step' in entry;
}

export function isNote(entry: LogEntry): entry is Note {
  return 'kind' in entry;
}

export const MAX_LINES = 100;
const KEPT_FROM_START = 10;

/** A long log loses attempts from its middle, never notes. */
export function dropAttempt(log: LogEntry[]): void {
  const spare = log.findIndex((line, index) => index >= KEPT_FROM_START && !isNote(line));
  if (spare >= 0) log.splice(spare, 1);
}
