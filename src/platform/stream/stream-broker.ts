/** What the broker is asked to keep. `id` stays the same however often the event is sent. */
export interface StreamEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/**
 * A message that asks for a checkout. Exactly one of `acknowledge`, `retryAfter` and `discard` ends it; a message that none
 * of them ends comes again, on any instance, once `keep` has not been called for the broker's acknowledgement time.
 */
export interface CommandMessage {
  /** The sender's id: the Idempotency-Key of the command. */
  readonly id: string | undefined;
  /** Names the message itself: the same for every delivery, and never given to another message. */
  readonly source: string;
  readonly body: Uint8Array;
  /** What the sender's trace context header says. */
  readonly traceparent?: string | undefined;
  /** How often it was delivered, this time included. */
  readonly deliveries: number;
  readonly sentAt: Date;
  /** It is still being worked on. */
  keep(): void;
  /** Its outcome is stored. */
  acknowledge(): void;
  retryAfter(ms: number): void;
  /** It can never succeed: the broker forgets it, because the dead letters have it. */
  discard(): void;
}

export interface ReceiveOptions {
  readonly limit: number;
  readonly waitMs: number;
}

/**
 * A broker of streams, seen from here: events go out in order, commands come in one by one. Every call fails while the broker is
 * away, and its caller tries again later; the adapter reconnects by itself and makes what is missing at the broker.
 */
export interface StreamBroker {
  /**
   * Appends the events in the given order, behind what was appended before. Answers how many of the first of them the broker is known to
   * have; throws if it may have none. Of two publishers that do not know of each other only one succeeds, so that a publisher
   * that was paused cannot put old events behind newer ones.
   */
  publish(events: readonly StreamEvent[]): Promise<number>;
  /** Hands over at most `limit` messages as they arrive, and ends when it has them all or when `waitMs` are over. */
  receive(options: ReceiveOptions, take: (message: CommandMessage) => void): Promise<void>;
  /** Why the broker cannot be used at the moment; undefined while it can. */
  problem(): Promise<string | undefined>;
  close(): Promise<void>;
}

export const STREAM_BROKER = Symbol('STREAM_BROKER');
