import type { LogEntry, Note, StepEntry } from './saga-log.js';
import { isCompensating, PHASE_NAMES, type PhaseName, phaseOf, type SagaPhase } from './saga-state.js';

type StoredLine = (Omit<StepEntry, 'phase'> & { readonly phase?: PhaseName }) | Note;

/** A row as the database has it, with the phase names that the previous release knows. */
export type Stored<R extends { readonly phase: SagaPhase; readonly log: readonly LogEntry[] }> = Omit<
  R,
  'phase' | 'log'
> & { readonly phase: PhaseName; readonly log: readonly StoredLine[] };

export function toStoredPhase(phase: SagaPhase): PhaseName {
  return PHASE_NAMES[phase];
}

/** On the way forward, which every checkout takes, both names are the same and the lines are sent as they are. */
export function toStoredLog(log: readonly LogEntry[]): readonly StoredLine[] {
  return log.some(isRenamed)
    ? log.map((line) => ('phase' in line ? { ...line, phase: PHASE_NAMES[line.phase] } : (line as Note)))
    : (log as readonly StoredLine[]);
}

export function fromStored<R extends { readonly phase: PhaseName; readonly log: readonly StoredLine[] }>(
  row: R,
): Omit<R, 'phase' | 'log'> & { readonly phase: SagaPhase; readonly log: LogEntry[] } {
  const log = row.log.map((line) => ('phase' in line ? { ...line, phase: phaseOf(line.phase) } : (line as LogEntry)));
  return { ...row, phase: phaseOf(row.phase), log };
}

function isRenamed(line: LogEntry): boolean {
  return 'phase' in line && isCompensating(line.phase);
}
