import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';
import type { SpanIdentity } from '../trace-context.js';

/**
 * The SDK makes up the id of a span when it starts. Ours have one before, which may be stored: the generator gives the SDK
 * the id that was chosen. That is safe because the SDK asks while it starts the span, in the same tick.
 */
export class ChosenIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private chosen: SpanIdentity | undefined;

  use<T>(identity: SpanIdentity, start: () => T): T {
    this.chosen = identity;
    try {
      return start();
    } finally {
      this.chosen = undefined;
    }
  }

  generateTraceId(): string {
    return this.chosen?.traceId ?? this.random.generateTraceId();
  }

  generateSpanId(): string {
    return this.chosen?.spanId ?? this.random.generateSpanId();
  }
}
