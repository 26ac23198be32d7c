import { Caller, type Route } from './call.js';
import { followStream } from './event-stream.js';
import { ADMIN_ROUTES, type AdminMethods } from './generated/admin-routes.js';
import { STOREFRONT_ROUTES, type StorefrontMethods } from './generated/storefront-routes.js';
import type { Answer, CallOptions, Schemas } from './operation.js';
import { type ClientOptions, Transport } from './transport.js';

export type OrderUpdate = Schemas['OrderStreamMessage'];

export interface FollowOptions extends CallOptions {
  /** `settled` ends with the answer to a checkout (unless given), `ended` with the last event that an order can have. */
  readonly until?: 'settled' | 'ended';
  readonly lastEventId?: string;
}

/** What of a ticket it takes to follow it. */
export interface SaleTicket {
  readonly state: 'WAITING' | 'ADMITTED' | 'EXPIRED' | 'SOLD_OUT';
  readonly eventsUrl: string;
}

export type Sku = Schemas['Sku'];

type Keyed = 'checkOut' | 'createReservation';

interface Extras {
  /**
   * An order as it changes: first its state, then what happens to it. Reconnects by itself. Takes the order, whose
   * `eventsUrl` needs no header, or its id.
   */
  followOrder(
    order: string | { readonly id: string; readonly eventsUrl?: string; readonly accessToken?: string },
    options?: FollowOptions,
  ): AsyncGenerator<OrderUpdate, void>;
  /**
   * A ticket of a sale as it moves up, until it is admitted, or ends without. Takes the ticket as it was answered, whose
   * `eventsUrl` needs no header.
   */
  followSale<T extends SaleTicket>(ticket: T, options?: CallOptions): AsyncGenerator<T, void>;
  /** All SKUs of a group, such as a seat map, again whenever one of them changes. Reconnects by itself, and does not end. */
  followSkus(group: string, options?: CallOptions): AsyncGenerator<readonly Sku[], void>;
  /** The outcome of an intent that was begun before a reload; undefined if there is none. */
  resume<Id extends Keyed>(operation: Id, intent: string, options?: CallOptions): Promise<Answer<Id> | undefined>;
  /** Lets an intent go: the same name is a new intent from then on. */
  forget(operation: Keyed, intent: string): Promise<void>;
}

export interface Storefront extends StorefrontMethods, Extras {}
export interface Client extends StorefrontMethods, AdminMethods, Extras {}

/** What a shop needs: everything that a storefront's key may do. */
export function createStorefront(options: ClientOptions): Storefront {
  return build(options, STOREFRONT_ROUTES) as Storefront;
}

/** Every operation of the API; most of them need an admin's key. */
export function createClient(options: ClientOptions): Client {
  return build(options, { ...STOREFRONT_ROUTES, ...ADMIN_ROUTES }) as Client;
}

function build(options: ClientOptions, routes: Readonly<Record<string, Route>>): object {
  const caller = new Caller(new Transport(options));
  const methods = Object.entries(routes).map(([name, route]) => [
    name,
    (...args: unknown[]) => caller.call(name, route, args),
  ]);
  const extras: Extras = {
    followOrder: (order, follow = {}) => followOrder(caller, order, follow),
    followSale: (ticket, call = {}) => followSale(caller, ticket, call),
    followSkus: (group, call = {}) => followSkus(caller, group, call),
    resume: (operation, intent, call = {}) =>
      caller.resume(operation, STOREFRONT_ROUTES[operation], intent, call) as Promise<never>,
    forget: (operation, intent) => caller.forget(operation, intent),
  };
  return { ...(Object.fromEntries(methods) as object), ...extras };
}

const LAST = new Set(['REJECTED', 'CANCELLED', 'order.rejected', 'order.cancelled']);

async function* followOrder(
  caller: Caller,
  order: Parameters<Extras['followOrder']>[0],
  { until = 'settled', lastEventId, ...options }: FollowOptions,
): AsyncGenerator<OrderUpdate, void> {
  const { id, eventsUrl, accessToken } = typeof order === 'string' ? { id: order } : order;
  const path = eventsUrl ?? `/v1/orders/${encodeURIComponent(id)}/events`;
  const token = await caller.accessTokenFor(path, undefined, options.accessToken ?? accessToken);
  const headers = { 'x-access-token': token, ...options.headers };
  for await (const message of followStream(caller.transport, path, headers, options, lastEventId)) {
    const update = message as OrderUpdate;
    yield update;
    const moment = update.event === 'order.state' ? update.data.state : update.event;
    if (LAST.has(moment) || (until === 'settled' && (moment === 'CONFIRMED' || moment === 'order.confirmed'))) return;
  }
}

/** Every message is the whole ticket; one that says nothing new is left out. */
async function* followSale<T extends SaleTicket>(
  caller: Caller,
  ticket: T,
  options: CallOptions,
): AsyncGenerator<T, void> {
  let latest = ticket;
  yield latest;
  if (latest.state !== 'WAITING') return;
  for await (const { data } of followStream(caller.transport, ticket.eventsUrl, { ...options.headers }, options)) {
    const update = { ...latest, ...(data as Partial<T>) };
    if (JSON.stringify(update) !== JSON.stringify(latest)) yield update;
    latest = update;
    if (latest.state !== 'WAITING') return;
  }
}

/** The first message has all of them, the others what has changed since. After a break the stream goes on behind the last. */
async function* followSkus(caller: Caller, group: string, options: CallOptions): AsyncGenerator<readonly Sku[], void> {
  const path = `/v1/skus/events?group=${encodeURIComponent(group)}`;
  let known = new Map<string, Sku>();
  for await (const { event, data } of followStream(caller.transport, path, { ...options.headers }, options)) {
    const { items, removed = [] } = data as { items: readonly Sku[]; removed?: readonly string[] };
    known = new Map(event === 'skus.state' ? [] : known);
    for (const item of items) known.set(item.sku, item);
    for (const sku of removed) known.delete(sku);
    yield [...known.values()];
  }
}
