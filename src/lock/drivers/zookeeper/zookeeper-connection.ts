import net from 'node:net';
import { StoreUnavailableError } from '../consensus/record-store.js';
import { JuteReader, JuteWriter } from './jute.js';
import { connectRequest, connectResponse, type Message, ping, XID } from './zookeeper-messages.js';

/** Connection lost, timeout, session expired, session moved: another connection may do better. */
const TRANSIENT = new Set([-4, -7, -112, -118]);
const HANDSHAKE_MS = 1_000;
/** A node that does not answer for so long is left for another one, well before the session would end. */
const SILENCE_MS = 1_500;
const WATCHDOG_MS = 250;

export interface Credentials {
  readonly sessionId: bigint;
  readonly password: Buffer;
  /** What we ask for, or what the server granted; 0: the session has expired. */
  readonly timeoutMs: number;
}

/** The server's refusal, by its number. */
export class ZookeeperError extends Error {
  constructor(readonly code: number) {
    super(`ZooKeeper answered with error ${code}`);
    this.name = 'ZookeeperError';
  }
}

interface Pending {
  readonly xid: number;
  readonly sentAt: number;
  readonly settle: (reader: JuteReader, error: number) => void;
  readonly reject: (error: Error) => void;
}

/** One connection. Requests are answered in the order in which they were sent. */
export class ZookeeperConnection {
  onEvent: (type: number, path: string) => void = () => undefined;
  onClose: () => void = () => undefined;
  private readonly pending: Pending[] = [];
  private received: Buffer = Buffer.alloc(0);
  private outgoing: Buffer[] = [];
  private handshake: ((granted: Credentials) => void) | undefined;
  private lastSentAt = performance.now();
  private pingedAt: number | undefined;
  private pingEveryMs = Number.POSITIVE_INFINITY;
  private xid = 0;
  private readonly watchdog: NodeJS.Timeout;

  private constructor(private readonly socket: net.Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => this.end());
    this.watchdog = setInterval(() => this.watch(), WATCHDOG_MS).unref();
  }

  /** Opens a session, or goes on with one on another node. */
  static open(host: string, port: number, wanted: Credentials): Promise<[ZookeeperConnection, Credentials]> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, host);
      const connection = new ZookeeperConnection(socket);
      const timer = setTimeout(() => socket.destroy(), HANDSHAKE_MS);
      connection.onClose = () => {
        clearTimeout(timer);
        reject(new StoreUnavailableError(`ZooKeeper at ${host}:${port} does not answer`));
      };
      connection.handshake = (granted) => {
        clearTimeout(timer);
        connection.onClose = () => undefined;
        resolve([connection, granted]);
      };
      socket.on('connect', () => socket.write(connectRequest(wanted.sessionId, wanted.password, wanted.timeoutMs)));
    });
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  send<T>({ type, write, read }: Message<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) {
        reject(new StoreUnavailableError('the connection to ZooKeeper is gone'));
        return;
      }
      const xid = (this.xid = (this.xid + 1) & 0x7fffffff);
      const settle = (reader: JuteReader, error: number) => {
        if (error === 0) resolve(read(reader));
        else if (TRANSIENT.has(error)) reject(new StoreUnavailableError(`ZooKeeper answered with error ${error}`));
        else reject(new ZookeeperError(error));
      };
      this.pending.push({ xid, sentAt: performance.now(), settle, reject });
      this.post(xid, type, write);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  /** What is sent in one turn of the event loop travels together. */
  private post(xid: number, type: number, write: (writer: JuteWriter) => void): void {
    const writer = new JuteWriter().int(xid).int(type);
    write(writer);
    this.lastSentAt = performance.now();
    if (this.outgoing.push(writer.finish()) > 1) return;
    setImmediate(() => {
      const all = this.outgoing;
      this.outgoing = [];
      if (this.isOpen) this.socket.write(all.length === 1 && all[0] ? all[0] : Buffer.concat(all));
    });
  }

  private receive(chunk: Buffer): void {
    this.pingedAt = undefined;
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    let from = 0;
    try {
      while (this.received.length - from >= 4) {
        const end = from + 4 + this.received.readInt32BE(from);
        if (end > this.received.length) break;
        this.deliver(new JuteReader(this.received.subarray(from + 4, end)));
        from = end;
      }
    } catch {
      this.close(); // not what ZooKeeper would send
    }
    this.received = this.received.subarray(from);
  }

  private deliver(reader: JuteReader): void {
    if (this.handshake) {
      const granted = connectResponse(reader);
      this.pingEveryMs = granted.timeoutMs / 3;
      this.handshake(granted);
      this.handshake = undefined;
      return;
    }
    const xid = reader.int();
    reader.long();
    const error = reader.int();
    if (xid === XID.ping) return;
    if (xid === XID.notification) {
      const type = reader.int();
      reader.int();
      this.onEvent(type, reader.text());
      return;
    }
    const next = this.pending.shift();
    if (next?.xid !== xid) throw new Error('an answer out of turn');
    next.settle(reader, error);
  }

  private watch(): void {
    const now = performance.now();
    const waitingSince = Math.min(this.pending[0]?.sentAt ?? now, this.pingedAt ?? now);
    if (now - waitingSince > SILENCE_MS) this.close();
    else if (now - this.lastSentAt >= this.pingEveryMs) {
      this.pingedAt ??= now;
      this.post(XID.ping, ping.type, ping.write);
    }
  }

  private end(): void {
    clearInterval(this.watchdog);
    const lost = new StoreUnavailableError('the connection to ZooKeeper is gone');
    for (const { reject } of this.pending.splice(0)) reject(lost);
    this.onClose();
  }
}
