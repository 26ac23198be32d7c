import { identityFromText, type SpanIdentity } from '../platform/tracing/trace-context.js';
import { isStep, type LogEntry, type StepEntry } from './saga-log.js';

/**
 * The saga's own span. It belongs to the saga and not to a process: its name is stored with the first line of the log, and
 * whoever ends the saga records it.
 */
export interface SagaTrace extends SpanIdentity {
  /** Milliseconds since 1970. */
  readonly from: number;
}

/** The first line is never cut out of a log. */
export function traceOf(log: readonly LogEntry[]): SagaTrace | undefined {
  const [first] = log;
  const identity = identityFromText(first?.trace);
  if (!first || !identity) return undefined;
  const { at = first.at, ms = 0, lockWaitMs = 0 }: Partial<StepEntry> = log.find(isStep) ?? {};
  return { ...identity, from: Math.min(first.at, at - ms - lockWaitMs) };
}
