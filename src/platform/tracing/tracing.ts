import { SpanClock } from './span-clock.js';
import type { SpanIdentity, TraceContext } from './trace-context.js';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What is known about a span when it is over. */
export interface FinishedSpan {
  readonly name: string;
  /** Whom it talks to: `server` and `consumer` were asked by somebody, `client` and `producer` ask. */
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  /** Milliseconds since 1970, with fractions. */
  readonly from: number;
  readonly to: number;
  readonly attributes?: Attributes;
  /** Spans that belong to it without being its parent, because they are many or in another trace. */
  readonly links?: readonly TraceContext[];
  /** What went wrong, if the span counts as failed. */
  readonly error?: string | undefined;
}

/** Sends spans away. OpenTelemetry is behind this, and nowhere else. */
export interface SpanRecorder {
  /** Names a new span: a child, or the root of a new trace. */
  identify(parent: TraceContext | undefined): SpanIdentity;
  record(identity: SpanIdentity, span: FinishedSpan): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

/**
 * Spans get their name when something begins and are recorded when it is over, so nothing has to be kept open: a span may
 * begin here and be recorded by another instance. The place in a trace is passed by hand, not by AsyncLocalStorage (ADR 1).
 * Without a recorder nobody gets a place, and where there is no place nothing is recorded: that is all tracing costs while it
 * is off.
 */
export class Tracing {
  readonly clock = new SpanClock();

  constructor(private readonly recorder?: SpanRecorder) {}

  get isOn(): boolean {
    return this.recorder !== undefined;
  }

  /** A place for what begins now; undefined while tracing is off. */
  begin(parent?: TraceContext): SpanIdentity | undefined {
    return this.recorder?.identify(parent);
  }

  record(identity: SpanIdentity | undefined, span: FinishedSpan): void {
    if (identity?.isSampled) this.recorder?.record(identity, span);
  }

  /** Records a child that is over already, and says where it is. */
  recordChild(parent: TraceContext | undefined, span: FinishedSpan): SpanIdentity | undefined {
    if (!parent?.isSampled) return undefined;
    const identity = this.begin(parent);
    this.record(identity, span);
    return identity;
  }

  close(): Promise<void> {
    return this.recorder?.close() ?? Promise.resolve();
  }
}
