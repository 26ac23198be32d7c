import { BeforeApplicationShutdown, Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { EventStream, toMessage } from '../../platform/http/event-stream.js';
import { networkOf } from '../../platform/http/limits/rate-limiter.js';
import { StreamLimiter } from '../../platform/http/limits/stream-limiter.js';
import type { Loop } from '../../platform/loops/loop.js';
import { Loops } from '../../platform/loops/loops.js';
import { DatabaseClock } from '../../platform/postgres/database-clock.js';
import { Draining } from '../../platform/shutdown/draining.js';
import { OpenSales } from '../open-sales.js';
import { SaleNotFoundError } from '../sale.dto.js';
import { hasEnded, type TicketState, ticketState } from '../sale.js';
import { TicketReader } from './ticket-reader.js';
import { TicketTokens } from './ticket-tokens.js';
import { TicketService } from './ticket.service.js';

/** A new state is sent at once, how the queue moves only now and then: it moves every second, for everybody. */
const POSITION_EVERY_MS = 10_000;

interface Follower {
  readonly saleId: string;
  readonly ticketId: string;
  readonly stream: EventStream;
  state: TicketState | undefined;
  sentAt: number;
}

/** Streams of tickets. All of an instance are looked at together, whenever the sales were looked at. */
@Injectable()
export class TicketEventsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly followers = new Set<Follower>();
  private isStopping = false;
  private isBusy = false;
  private readonly heartbeat: Loop;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly open: OpenSales,
    private readonly reader: TicketReader,
    private readonly tickets: TicketService,
    private readonly tokens: TicketTokens,
    private readonly limiter: StreamLimiter,
    private readonly draining: Draining,
    private readonly clock: DatabaseClock,
    loops: Loops,
  ) {
    const { heartbeatMs } = config.eventStream;
    this.heartbeat = loops.create({
      name: 'ticket-event-heartbeat',
      pace: { firstMs: heartbeatMs, minMs: heartbeatMs, maxMs: heartbeatMs },
      round: () => {
        for (const { stream } of this.followers) stream.beat();
      },
    });
  }

  onApplicationBootstrap(): void {
    this.open.onRefresh(() => void this.sendAll().catch(() => undefined)); // the next refresh tries again
    this.heartbeat.start();
    this.draining.isClosing.addEventListener('abort', () => this.endAll(), { once: true });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.endAll();
    await this.heartbeat.stop();
  }

  async follow(saleId: string, ticketId: string, token: string, address: string): Promise<Readable> {
    if (!this.tokens.isForEvents(token, ticketId)) throw new SaleNotFoundError(saleId);
    if (this.isStopping) throw this.limiter.unavailable();
    const giveBack = this.limiter.admitToCrowd(`ticket|${ticketId}`, `ticket|${networkOf(address)}`);
    try {
      const view = await this.reader.view(saleId, ticketId);
      if (!view) throw new SaleNotFoundError(saleId);
      const stream: EventStream = new EventStream(() => {
        giveBack();
        this.followers.delete(follower);
      });
      const follower: Follower = { saleId, ticketId, stream, state: undefined, sentAt: 0 };
      this.followers.add(follower);
      await this.send(follower);
      return stream.body;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Who was called since the last look is looked up in one query; all others need none. */
  private async sendAll(): Promise<void> {
    if (this.isBusy || this.followers.size === 0) return;
    this.isBusy = true;
    try {
      const unknown = [...this.followers].filter(({ saleId, ticketId }) => {
        const sale = this.open.get(saleId);
        return sale && !this.reader.settled(sale, ticketId);
      });
      await this.reader.look(unknown.map(({ ticketId }) => ticketId));
      for (const follower of this.followers) await this.send(follower);
    } finally {
      this.isBusy = false;
    }
  }

  private async send(follower: Follower): Promise<void> {
    const { saleId, ticketId, stream } = follower;
    const sale = this.open.get(saleId);
    const ticket = sale && this.reader.settled(sale, ticketId);
    const view = sale && ticket ? { sale, ticket } : await this.reader.view(saleId, ticketId);
    if (!view) {
      stream.end();
      return;
    }
    const state = ticketState(view.sale, view.ticket, this.clock.now());
    const now = performance.now();
    // Before the message is made: nearly always there is none.
    if (state === follower.state && (state !== 'WAITING' || now - follower.sentAt < POSITION_EVERY_MS)) return;
    follower.state = state;
    follower.sentAt = now;
    stream.send(toMessage('ticket.state', this.tickets.toResponse(view)));
    if (state === 'EXPIRED' || hasEnded(view.sale, this.clock.now())) stream.end();
  }

  private endAll(): void {
    this.isStopping = true;
    for (const { stream } of this.followers) stream.end();
  }
}
