import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { KEYS } from '../test/setup/app-process.js';

/**
 * Readers of a seat map, on raw sockets: thousands of browsers would each decode on a machine of their own, so here a map
 * is decoded once for all who got the same one, and of a stream only changes are looked at.
 */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** What is longer is a part of the whole map, with which a stream begins. */
const MAX_CHANGE_BYTES = 4_096;
const CHANGED = Buffer.from('event: skus.changed');

function get(path: string, headers: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: bench\r\nx-api-key: ${KEYS.STOREFRONT_API_KEY}\r\n${headers}\r\n`;
}

/** What is free in a map, by its tag. */
export class Maps {
  private readonly free = new Map<string, ReadonlySet<string>>();

  isKnown(etag: string): boolean {
    return this.free.has(etag);
  }

  learn(etag: string, gzipped: Buffer): void {
    const { items } = JSON.parse(gunzipSync(gzipped).toString()) as { items: { sku: string; available: number }[] };
    this.free.set(etag, new Set(items.flatMap(({ sku, available }) => (available > 0 ? [sku] : []))));
  }

  isFree(sku: string, etag: string): boolean {
    return this.free.get(etag)?.has(sku) ?? true;
  }
}

/** Asks again and again on one connection, with the tag it has. */
export class Poller {
  etag = '';
  private readonly socket: Socket;
  private received: Buffer[] = [];
  private missing = 0;
  private status = 0;
  private onAnswer: ((status: number) => void) | undefined;

  constructor(
    address: Address,
    private readonly path: string,
    private readonly maps: Maps,
  ) {
    this.socket = connect({ ...address, noDelay: true });
    this.socket.on('data', (chunk) => this.receive(chunk));
    this.socket.on('error', () => this.onAnswer?.(0));
    this.socket.on('close', () => this.onAnswer?.(0));
  }

  /** The status; 0 where the connection is lost. */
  ask(): Promise<number> {
    return new Promise((resolve) => {
      this.onAnswer = resolve;
      const tag = this.etag === '' ? '' : `if-none-match: ${this.etag}\r\n`;
      this.socket.write(get(this.path, `accept-encoding: gzip\r\n${tag}`), 'latin1');
    });
  }

  close(): void {
    this.onAnswer = undefined;
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    const rest = this.status === 0 ? this.readHead(chunk) : chunk;
    this.missing -= rest.length;
    if (!this.maps.isKnown(this.etag)) this.received.push(rest);
    if (this.missing > 0) return;
    if (this.received.length > 0 && this.status === 200) this.maps.learn(this.etag, Buffer.concat(this.received));
    const { status } = this;
    this.received = [];
    this.status = 0;
    this.onAnswer?.(status);
  }

  /** The head comes in one piece: it is short, and the first that is written. */
  private readHead(chunk: Buffer): Buffer {
    const end = chunk.indexOf(HEAD_END);
    const head = chunk.toString('latin1', 0, end);
    this.status = Number(head.slice(9, 12));
    if (this.status === 200) this.etag = /^etag: (.*)$/im.exec(head)?.[1] ?? '';
    this.missing = this.status === 200 ? Number(/^content-length: (\d+)$/im.exec(head)?.[1]) : 0;
    return chunk.subarray(end + HEAD_END.length);
  }
}

/** Follows the changes of a map on a stream. */
export class Follower {
  hasBegun = false;
  private readonly socket: Socket;

  constructor(address: Address, path: string, onChange: (text: Buffer) => void) {
    this.socket = connect({ ...address, noDelay: true });
    this.socket.on('data', (chunk) => {
      this.hasBegun = true;
      if (chunk.length < MAX_CHANGE_BYTES && chunk.includes(CHANGED)) onChange(chunk);
    });
    this.socket.on('error', () => undefined); // whoever does not see the change is counted
    this.socket.write(get(path, 'accept: text/event-stream\r\n'), 'latin1');
  }

  close(): void {
    this.socket.destroy();
  }
}
