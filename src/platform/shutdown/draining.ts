import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { performance } from 'node:perf_hooks';
import { sleep } from '../../common/backoff.js';

const LOOK_EVERY_MS = 20;

/**
 * The end of an instance in an order that no client notices: it says that it is not ready and serves on, so that balancers
 * send nobody any more; then it takes no new connections; and only when the last request is answered do its parts stop.
 */
@Injectable()
export class Draining {
  private readonly begun = new AbortController();
  private readonly closing = new AbortController();
  private inFlight = 0;

  /** From now on the instance is not ready, and asks clients to leave their connections. */
  get hasBegun(): boolean {
    return this.begun.signal.aborted;
  }

  /** Aborts when no connection is taken any more: whoever keeps a request open for long ends it now. */
  get isClosing(): AbortSignal {
    return this.closing.signal;
  }

  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (_request, reply, done) => {
      this.inFlight += 1;
      reply.raw.once('close', () => (this.inFlight -= 1));
      if (this.hasBegun) void reply.header('connection', 'close');
      done();
    });
  }

  /** Ends when the last request is answered, or when its time is over: whatever runs then is cut off or handed over. */
  async drain(fastify: FastifyInstance, { delayMs, graceMs }: { delayMs: number; graceMs: number }): Promise<void> {
    this.begun.abort();
    await sleep(delayMs);
    this.closing.abort();
    fastify.server.close();
    fastify.server.closeIdleConnections();
    const deadline = performance.now() + graceMs;
    while (this.inFlight > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
  }
}
