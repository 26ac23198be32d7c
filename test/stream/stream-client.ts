import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../setup/eventually.js';

export interface ReceivedEvent {
  readonly subject: string;
  readonly messageId: string;
  readonly contentType: string;
  readonly event: any;
}

const EVENTS = 'CHECKOUT_EVENTS';
const COMMANDS = 'CHECKOUT_COMMANDS';
const PAGE = 1_000;
/** A server that is just back, on a busy machine. */
const ANSWER_WITHIN_MS = 30_000;

/** What others have: a producer of commands and a reader of events. */
export class StreamClient {
  private constructor(private readonly connection: NatsConnection) {}

  static async open(url: string): Promise<StreamClient> {
    return new StreamClient(await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 100 }));
  }

  async send(id: string | undefined, body: unknown): Promise<void> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const idHeader = headers();
    if (id !== undefined) idHeader.set('Nats-Msg-Id', id);
    const publish = () => this.jetstream().publish('checkout.commands', text, { headers: idHeader });
    // The shortest window of the broker is 100 ms: within it the message is sent again, until it counts.
    await eventually('a message that the broker stores', publish, { until: ({ duplicate }) => !duplicate });
  }

  /** As short as it can be, so that a message sent twice arrives twice: the window is not what keeps orders single. */
  async shortenDuplicateWindow(): Promise<void> {
    const jsm = await this.manager();
    const info = await eventually('the stream of commands', () => jsm.streams.info(COMMANDS).catch(() => undefined));
    await jsm.streams.update(COMMANDS, { ...info.config, duplicate_window: 100_000_000 });
  }

  async commandsAreReady(): Promise<void> {
    const jsm = await this.manager();
    const look = () => jsm.consumers.info(COMMANDS, 'checkout-saga').catch(() => undefined);
    await eventually('the consumer of commands', look);
  }

  /** What is sent while the connection is away is lost, without a word. */
  async reconnected(): Promise<void> {
    const isThere = () => {
      const answer = this.connection.flush().then(
        () => true,
        () => false,
      );
      return Promise.race([answer, delay(200, false)]);
    };
    await eventually('the broker answers', isThere);
  }

  /** At the broker, and under way. */
  async unacknowledged(): Promise<number> {
    const jsm = await this.manager();
    const { state } = await jsm.streams.info(COMMANDS);
    return state.messages;
  }

  async everythingIsAcknowledged(withinMs?: number): Promise<void> {
    const patience = { until: (count: number) => count === 0, ...(withinMs !== undefined && { withinMs }) };
    await eventually('every command is acknowledged', () => this.unacknowledged(), patience);
  }

  /** Everything on the stream so far, in its order. */
  async events(): Promise<ReceivedEvent[]> {
    const jsm = await this.manager();
    const { state } = await jsm.streams.info(EVENTS);
    if (state.messages === 0) return [];
    const reader = await jsm.consumers.add(EVENTS, { ack_policy: AckPolicy.None, inactive_threshold: 60_000_000_000 });
    const consumer = await this.jetstream().consumers.get(EVENTS, reader.name);
    const received: ReceivedEvent[] = [];
    while (received.length < state.messages) {
      const page = Math.min(PAGE, state.messages - received.length);
      for await (const message of await consumer.fetch({ max_messages: page, expires: 5_000 })) {
        received.push({
          subject: message.subject,
          messageId: message.headers?.get('Nats-Msg-Id') ?? '',
          contentType: message.headers?.get('content-type') ?? '',
          event: message.json(),
        });
      }
    }
    return received;
  }

  private jetstream() {
    return jetstream(this.connection, { timeout: ANSWER_WITHIN_MS });
  }

  private manager() {
    return jetstreamManager(this.connection, { timeout: ANSWER_WITHIN_MS, checkAPI: false });
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
