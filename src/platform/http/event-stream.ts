import { StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';

/** What a client that does not read may leave in our memory, apart from the message that it began with. */
const MAX_BUFFERED_BYTES = 256 * 1_024;
const RECONNECT_MS = 3_000;

/** One client that follows something by server-sent events. */
export class EventStream {
  private readonly output = new Readable({ read: () => undefined }); // what is sent waits here until it is read
  private isEnded = false;
  private activeAt = performance.now();
  private allowedBytes = MAX_BUFFERED_BYTES;

  constructor(onClosed: () => void) {
    this.output.on('error', () => undefined); // a client that went away
    this.output.once('close', onClosed);
    this.output.push(`retry: ${RECONNECT_MS}\n\n`);
  }

  get body(): Readable {
    return this.output;
  }

  get idleMs(): number {
    return performance.now() - this.activeAt;
  }

  /** The state that what follows builds on: it may be long, and a slow client takes its time to read it. */
  begin(message: Buffer): void {
    this.allowedBytes += message.length;
    this.send(message);
  }

  /** A message as `toMessage` makes it. One for many clients is a buffer, so that they share its bytes. */
  send(message: string | Buffer): void {
    this.activeAt = performance.now();
    this.write(message);
  }

  /** A client that has not read its end by the next beat never will: it must not keep its place. */
  beat(): void {
    if (this.isEnded) this.discard();
    else this.write(': heartbeat\n\n');
  }

  end(): void {
    if (this.isEnded || this.output.destroyed) return;
    this.isEnded = true;
    this.output.push(null);
  }

  discard(): void {
    this.output.destroy();
  }

  private write(chunk: string | Buffer): void {
    if (this.isEnded || this.output.destroyed) return;
    if (this.output.readableLength > this.allowedBytes) this.output.destroy();
    else this.output.push(chunk);
  }
}

export function toMessage(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Nothing on the way may store or gather the messages. */
export function streamTo(reply: FastifyReply, body: Readable): StreamableFile {
  void reply.headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' });
  return new StreamableFile(body, { type: 'text/event-stream; charset=utf-8' });
}
