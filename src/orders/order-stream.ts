import { PassThrough, Readable } from 'node:stream';
import { isTerminal } from '../common/state-machine.js';
import type { EventEnvelope } from '../platform/outbox/domain-event.js';
import { ORDER_TRANSITIONS } from './order-state.js';
import type { OrderView } from './order.dto.js';

/** How much a client that does not read may occupy in our memory. */
const MAX_BUFFERED_BYTES = 256 * 1_024;
const RECONNECT_MS = 3_000;
const LAST_EVENTS: ReadonlySet<string> = new Set(['order.rejected', 'order.cancelled']);

/** The data with which a stream opens: the order, the earlier events, and whether the client resumes. */
export interface StreamOpening {
  readonly order: OrderView;
  readonly events: readonly EventEnvelope[];
  readonly lastEventId: string | undefined;
}

/** One client that follows one order (server-sent events). */
export class OrderStream {
  private readonly output = new PassThrough();
  private readonly seen = new Set<string>();
  /** Events that arrived before the opening was written; undefined from then on. */
  private early: EventEnvelope[] | undefined = [];
  private activeAt = performance.now();
  private lastState = '';
  private isPending = true;

  constructor(
    readonly orderId: string,
    onClosed: (stream: OrderStream) => void,
  ) {
    this.output.on('error', () => undefined); // a client that went away
    this.output.once('close', () => onClosed(this));
  }

  get body(): Readable {
    return this.output;
  }

  /** Whether changes of the state have to be polled for: a settled order changes only with an event. */
  get isWatched(): boolean {
    return this.early === undefined && this.isPending;
  }

  get idleMs(): number {
    return performance.now() - this.activeAt;
  }

  open({ order, events, lastEventId }: StreamOpening): void {
    const resumed = lastEventId === undefined ? events : eventsUpTo(events, lastEventId);
    for (const event of resumed) this.seen.add(event.id);
    this.write(`retry: ${RECONNECT_MS}\n\n`);
    // On a resumption the state must not carry an id: it would hide the missed events if the connection broke here.
    this.sendState(order, lastEventId === undefined ? events.at(-1)?.id : undefined);
    const missed = [...events, ...(this.early ?? [])];
    this.early = undefined;
    for (const event of missed) this.deliver(event);
    if (isTerminal(ORDER_TRANSITIONS, order.state)) this.end();
  }

  deliver(event: EventEnvelope): void {
    if (this.early) return void this.early.push(event);
    if (this.seen.has(event.id)) return;
    this.seen.add(event.id);
    this.activeAt = performance.now();
    if (event.type.startsWith('order.')) this.isPending = false;
    this.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    if (LAST_EVENTS.has(event.type)) this.end();
  }

  /**
   * The current state, if it differs from the last one sent: a payment in doubt, or one that needs its customer, is not
   * an event.
   */
  sendState(order: OrderView, id?: string): void {
    const state = JSON.stringify(stateOf(order));
    if (state === this.lastState) return;
    this.lastState = state;
    this.isPending = order.state === 'PENDING';
    this.activeAt = performance.now();
    this.write(`${id === undefined ? '' : `id: ${id}\n`}event: order.state\ndata: ${state}\n\n`);
  }

  /** A client that has not read its end by the next beat never will, and must not keep its place. */
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

/** Everything after the client's last event id; an unknown id resumes from the beginning. */
function eventsUpTo(events: readonly EventEnvelope[], lastEventId: string): readonly EventEnvelope[] {
  return events.slice(0, events.findIndex((event) => event.id === lastEventId) + 1);
}

function stateOf({ id, state, payment, rejection, nextAction }: OrderView) {
  return {
    id,
    state,
    payment: payment && { state: payment.state, refundedAmount: payment.refundedAmount },
    ...(rejection && { rejection }),
    ...(nextAction && { nextAction }),
  };
}
