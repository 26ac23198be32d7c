/** A place in a trace, as W3C Trace Context names it. It is passed by hand, like the request id: see ADR 1. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Somebody decided to keep this trace: only then are spans recorded. */
  readonly isSampled: boolean;
}

/** The name of a span of ours, which is recorded when it is over, by this instance or by another one. */
export interface SpanIdentity extends TraceContext {
  /** Absent at the root of a trace. */
  readonly parentId?: string | undefined;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const IDENTITY = /^([\da-f]{32})-([\da-f]{16})-([01])(?:-([\da-f]{16}))?$/;

/** A header that is missing or not valid begins a new trace, as the standard asks. Later versions may add members. */
export function parseTraceparent(header: unknown): TraceContext | undefined {
  const [whole, traceId, spanId, flags, rest] = (typeof header === 'string' && TRACEPARENT.exec(header)) || [];
  if (whole === undefined || traceId === undefined || spanId === undefined) return undefined;
  if (whole.startsWith('00') && rest !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags ?? '0', 16) & 1) === 1 };
}

export function toTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** For storing, in the form of a `b3` header: `traceparent` has no room for the parent. */
export function identityToText({ traceId, spanId, isSampled, parentId }: SpanIdentity): string {
  return `${traceId}-${spanId}-${isSampled ? '1' : '0'}${parentId === undefined ? '' : `-${parentId}`}`;
}

export function identityFromText(text: string | undefined): SpanIdentity | undefined {
  const [whole, traceId, spanId, sampled, parentId] = (text !== undefined && IDENTITY.exec(text)) || [];
  if (whole === undefined || traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, isSampled: sampled === '1', parentId };
}
