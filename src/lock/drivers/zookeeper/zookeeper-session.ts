import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../consensus/record-store.js';
import { type Credentials, ZookeeperConnection } from './zookeeper-connection.js';
import { closeSession, type Message } from './zookeeper-messages.js';

const NO_SESSION = { sessionId: 0n, password: Buffer.alloc(16) };
const RECONNECT_MS = 50;
const CLOSE_MS = 500;

export interface SessionHandlers {
  /** On every new connection, before others may use it: watches do not outlive a connection. */
  prepare(connection: ZookeeperConnection): Promise<void>;
  /** The connection may be used. */
  ready(): void;
  event(type: number, path: string): void;
}

/** A session that moves from node to node, and is opened anew when it has expired. Never gives up until it is stopped. */
export class ZookeeperSession {
  private readonly hosts: readonly { readonly host: string; readonly port: number }[];
  private credentials: Credentials;
  private connection: ZookeeperConnection | undefined;
  private isStopped = false;
  private next: number;

  constructor(
    urls: readonly string[],
    private readonly timeoutMs: number,
    private readonly handlers: SessionHandlers,
  ) {
    this.hosts = urls.map((url) => {
      const { hostname, port } = new URL(`zookeeper://${url}`);
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 2_181) };
    });
    this.next = Math.floor(Math.random() * urls.length);
    this.credentials = { ...NO_SESSION, timeoutMs };
  }

  /** Comes back with the first connection. */
  async start(): Promise<void> {
    while (!this.isStopped) {
      const { host, port } = this.hosts[this.next % this.hosts.length] ?? { host: '', port: 0 };
      this.next += 1;
      if (await this.connect(host, port)) return;
      await sleep(RECONNECT_MS, undefined, { ref: false });
    }
  }

  /** Fails at once while there is no connection. */
  request<T>(message: Message<T>): Promise<T> {
    if (!this.connection?.isOpen) return Promise.reject(new StoreUnavailableError('no connection to ZooKeeper'));
    return this.connection.send(message);
  }

  /** The session ends with the connection, so that what it left is not waited for. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const { connection } = this;
    if (!connection?.isOpen) return;
    await Promise.race([connection.send(closeSession), sleep(CLOSE_MS)]).catch(() => undefined);
    connection.close();
  }

  private async connect(host: string, port: number): Promise<boolean> {
    let connection: ZookeeperConnection | undefined;
    try {
      const [opened, granted] = await ZookeeperConnection.open(host, port, this.credentials);
      connection = opened;
      if (granted.timeoutMs <= 0) {
        this.credentials = { ...NO_SESSION, timeoutMs: this.timeoutMs };
        connection.close();
        return false;
      }
      this.credentials = { ...granted, timeoutMs: this.timeoutMs };
      connection.onEvent = (type, path) => this.handlers.event(type, path);
      await this.handlers.prepare(connection);
      return this.use(connection);
    } catch {
      connection?.close();
      return false;
    }
  }

  private use(connection: ZookeeperConnection): boolean {
    if (this.isStopped || !connection.isOpen) {
      connection.close();
      return false;
    }
    this.connection = connection;
    connection.onClose = () => void this.start();
    this.handlers.ready();
    return true;
  }
}
