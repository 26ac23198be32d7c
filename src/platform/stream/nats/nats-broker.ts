import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { messageOf } from '../../../common/error-message.js';
import type { CommandMessage, ReceiveOptions, StreamBroker, StreamEvent } from '../stream-broker.js';
import type { StreamSettings } from '../stream-settings.js';
import { publishInOrder } from './nats-publisher.js';
import { type NatsSession, NatsSessions } from './nats-session.js';
import { ensureCommands, ensureEventStream } from './nats-setup.js';

const MESSAGE_ID = 'Nats-Msg-Id';
const TRACEPARENT = 'traceparent';
/** How much longer than asked for a pull may take before it is given up. */
const PULL_GRACE_MS = 2_000;

/** NATS JetStream. Whatever fails is prepared anew by the next call: a server may come back without its streams. */
export class NatsBroker implements StreamBroker {
  private readonly sessions: NatsSessions;
  /** Of the last call of each kind, if it failed. */
  private readonly failures = new Map<'publish' | 'receive', string>();
  private eventStream: string | undefined;
  private consumer: Consumer | undefined;

  constructor(private readonly settings: StreamSettings) {
    this.sessions = new NatsSessions(settings);
  }

  async publish(events: readonly StreamEvent[]): Promise<number> {
    try {
      const session = await this.sessions.get();
      this.eventStream ??= await ensureEventStream(session.jsm);
      const count = await publishInOrder(session, this.eventStream, events);
      this.failures.delete('publish');
      return count;
    } catch (error) {
      this.failures.set('publish', messageOf(error));
      this.eventStream = undefined;
      throw error;
    }
  }

  async receive({ limit, waitMs }: ReceiveOptions, take: (message: CommandMessage) => void): Promise<void> {
    try {
      const session = await this.sessions.get();
      this.consumer ??= await this.openConsumer(session);
      const messages = await this.consumer.fetch({ max_messages: limit, expires: waitMs });
      const timer = setTimeout(() => messages.stop(new Error('the stream did not end a pull')), waitMs + PULL_GRACE_MS);
      try {
        for await (const message of messages) take(toCommandMessage(message));
      } finally {
        clearTimeout(timer);
      }
      this.failures.delete('receive');
    } catch (error) {
      this.failures.set('receive', messageOf(error));
      this.consumer = undefined;
      throw error;
    }
  }

  async problem(): Promise<string | undefined> {
    return (await this.sessions.problem()) ?? [...this.failures.values()][0];
  }

  close(): Promise<void> {
    return this.sessions.close();
  }

  /** Both streams exist from the start on, so that readers can subscribe before the first event. */
  private async openConsumer({ js, jsm }: NatsSession): Promise<Consumer> {
    this.eventStream ??= await ensureEventStream(jsm);
    const { stream, consumer } = await ensureCommands(jsm, this.settings);
    return js.consumers.get(stream, consumer);
  }
}

function toCommandMessage(message: JsMsg): CommandMessage {
  return {
    id: message.headers?.get(MESSAGE_ID) || undefined,
    // The time tells a stream from one of the same name that was made after it.
    source: `${message.info.stream}/${message.seq}/${message.timestampNanos}`,
    body: message.data,
    traceparent: message.headers?.get(TRACEPARENT) || undefined,
    deliveries: message.info.deliveryCount,
    sentAt: message.time,
    keep: () => quietly(() => message.working()),
    acknowledge: () => quietly(() => message.ack()),
    retryAfter: (ms) => quietly(() => message.nak(ms)),
    // Without a reason, which servers before 2.11 do not understand.
    discard: () => quietly(() => message.term()),
  };
}

/** On a closed connection: what the broker does not hear it delivers again. */
function quietly(say: () => void): void {
  try {
    say();
  } catch {
    return;
  }
}
