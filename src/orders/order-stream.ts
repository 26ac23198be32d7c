import { isTerminal } from '../common/state-machine.js';
import { EventStream, toMessage } from '../platform/http/event-stream.js';
import type { EventEnvelope } from '../platform/outbox/domain-event.js';
import { ORDER_TRANSITIONS } from './order-state.js';
import type { OrderView } from './order.dto.js';

const LAST_EVENTS: ReadonlySet<string> = new Set(['order.rejected', 'order.cancelled']);

/** The data with which a stream opens: the order, the earlier events, and whether the client resumes. */
export interface StreamOpening {
  readonly order: OrderView;
  readonly events: readonly EventEnvelope[];
  readonly lastEventId: string | undefined;
}

/** One client that follows one order (server-sent events). */
export class OrderStream extends EventStream {
  private readonly seen = new Set<string>();
  /** Events that arrived before the opening was written; undefined from then on. */
  private early: EventEnvelope[] | undefined = [];
  private lastState = '';
  private isPending = true;

  constructor(
    readonly orderId: string,
    onClosed: () => void,
  ) {
    super(onClosed);
  }

  /** Whether changes of the state have to be polled for: a settled order changes only with an event. */
  get isWatched(): boolean {
    return this.early === undefined && this.isPending;
  }

  open({ order, events, lastEventId }: StreamOpening): void {
    const resumed = lastEventId === undefined ? events : eventsUpTo(events, lastEventId);
    for (const event of resumed) this.seen.add(event.id);
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
    if (event.type.startsWith('order.')) this.isPending = false;
    this.send(toMessage(event.type, event, event.id));
    if (LAST_EVENTS.has(event.type)) this.end();
  }

  /**
   * The current state, if it differs from the last one sent: a payment in doubt, or one that needs its customer, is not
   * an event.
   */
  sendState(order: OrderView, id?: string): void {
    const message = toMessage('order.state', stateOf(order));
    if (message === this.lastState) return;
    this.lastState = message;
    this.isPending = order.state === 'PENDING';
    this.send(id === undefined ? message : `id: ${id}\n${message}`);
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
    payment: payment && {
      state: payment.state,
      capturedAmount: payment.capturedAmount,
      refundedAmount: payment.refundedAmount,
    },
    ...(rejection && { rejection }),
    ...(nextAction && { nextAction }),
  };
}
