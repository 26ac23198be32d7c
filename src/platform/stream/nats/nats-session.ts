import { jetstream, type JetStreamClient, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { Logger } from '@nestjs/common';
import { sleep } from '../../../common/backoff.js';
import { messageOf } from '../../../common/error-message.js';
import type { StreamSettings } from '../stream-settings.js';

const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 500;
/** A server that keeps its connections open and answers nothing is left after three of these. */
const PING_MS = 5_000;
const MAX_PINGS_OUT = 2;
const ANSWER_WITHIN_MS = 1_000;
const GOODBYE_MS = 2_000;

export interface NatsSession {
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
}

/** One connection for everything, opened by the first who needs it. Once open it reconnects by itself, for ever. */
export class NatsSessions {
  private readonly logger = new Logger('Stream');
  private connection: NatsConnection | undefined;
  private opening: Promise<NatsSession> | undefined;
  private opened: NatsSession | undefined;
  private isAway = false;
  private isClosed = false;

  constructor(private readonly settings: StreamSettings) {}

  /** Fails at once while the connection is being made again: its client would queue what it is given. */
  async get(): Promise<NatsSession> {
    if (this.isClosed) throw new Error('the stream is closed');
    if (this.opened && !this.connection?.isClosed()) {
      if (this.isAway) throw new Error('the stream is away: reconnecting');
      return this.opened;
    }
    this.opening ??= this.open().finally(() => (this.opening = undefined));
    return this.opening;
  }

  async problem(): Promise<string | undefined> {
    if (!this.connection || this.connection.isClosed()) return 'not connected';
    if (this.isAway) return 'reconnecting';
    const answer = this.connection.flush().then(
      () => undefined,
      (error: unknown) => messageOf(error),
    );
    return within(answer, ANSWER_WITHIN_MS, `no answer within ${ANSWER_WITHIN_MS} ms`);
  }

  /** What was said last still goes out, if the server listens. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.opening?.catch(() => undefined);
    const { connection } = this;
    if (!connection || connection.isClosed()) return;
    const goodbye = connection.flush().catch(() => undefined);
    if (!this.isAway) await within(goodbye, GOODBYE_MS, undefined);
    await connection.close();
  }

  private async open(): Promise<NatsSession> {
    const connection = await connect(optionsOf(this.settings));
    this.connection = connection;
    this.isAway = false;
    void this.watch(connection);
    this.opened = { js: jetstream(connection), jsm: await jetstreamManager(connection, { checkAPI: false }) };
    return this.opened;
  }

  private async watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' && !this.isClosed) {
        this.isAway = true;
        this.logger.warn('the stream is away: events wait in the database, commands at the broker');
      } else if (status.type === 'reconnect') {
        this.isAway = false;
        this.logger.log('the stream is back');
      }
    }
  }
}

async function within<T, F>(answer: Promise<T>, ms: number, otherwise: F): Promise<T | F> {
  const answered = new AbortController();
  const timeout = sleep(ms, answered.signal).then(() => otherwise);
  return Promise.race([answer, timeout]).finally(() => answered.abort());
}

/** Credentials stand in the first URL: `nats://user:password@host`, or `nats://token@host`. */
function optionsOf({ urls, clientName }: StreamSettings): NodeConnectionOptions {
  const parsed = urls.map((url) => new URL(url));
  const [first] = parsed;
  const user = decodeURIComponent(first?.username ?? '');
  const pass = decodeURIComponent(first?.password ?? '');
  return {
    servers: parsed.map(({ host }) => host),
    name: clientName,
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: MAX_PINGS_OUT,
    ...(user !== '' && (pass === '' ? { token: user } : { user, pass })),
    ...(first?.protocol === 'tls:' && { tls: {} }),
  };
}
