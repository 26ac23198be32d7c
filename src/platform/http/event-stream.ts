import { StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PassThrough, Readable } from 'node:stream';

/** What a client that does not read may leave in our memory. */
const MAX_BUFFERED_BYTES = 256 * 1_024;
const RECONNECT_MS = 3_000;

/** One client that follows something by server-sent events. */
export class EventStream {
  private readonly output = new PassThrough();
  private activeAt = performance.now();

  constructor(onClosed: () => void) {
    this.output.on('error', () => undefined); // a client that went away
    this.output.once('close', onClosed);
    this.output.write(`retry: ${RECONNECT_MS}\n\n`);
  }

  get body(): Readable {
    return this.output;
  }

  get idleMs(): number {
    return performance.now() - this.activeAt;
  }

  /** A message as `toMessage` makes it: made once, however many clients it goes to. */
  send(message: string): void {
    this.activeAt = performance.now();
    this.write(message);
  }

  /** A client that has not read its end by the next beat never will: it must not keep its place. */
  beat(): void {
    if (this.output.writableEnded) this.discard();
    else this.write(': heartbeat\n\n');
  }

  end(): void {
    this.output.end();
  }

  discard(): void {
    this.output.destroy();
  }

  private write(chunk: string): void {
    if (this.output.writableEnded || this.output.destroyed) return;
    if (this.output.writableLength + this.output.readableLength > MAX_BUFFERED_BYTES) this.output.destroy();
    else this.output.write(chunk);
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
