import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { performance } from 'node:perf_hooks';
import { sleep } from '../../common/backoff.js';

const LOOK_EVERY_MS = 20;

/**
 * Stops an instance without errors for clients: first it reports that it is not ready and keeps serving, so that
 * balancers stop sending requests; then it takes no new connections; and after the last answer its parts stop.
 */
@Injectable()
export class Draining {
  private readonly begun = new AbortController();
  private readonly closing = new AbortController();
  private inFlight = 0;

  /** From now on the instance is not ready and asks clients to close their connections. */
  get hasBegun(): boolean {
    return this.begun.signal.aborted;
  }

  /** Aborts when no new connection is taken: long requests, such as event streams, end now. */
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

  /** Resolves with the last answer, or when the time is over: what still runs is then cut off or handed over. */
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
