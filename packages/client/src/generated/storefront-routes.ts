// Generated from openapi.json by `npm run openapi`. Do not edit.
import type { Answer, Body, CallOptions, Query } from '../operation.js';

/** Method, path, and flags: b a body, q a query, k an Idempotency-Key, s may be repeated without one. */
export const STOREFRONT_ROUTES = {
  isLive: 'GET /health/live s',
  isReady: 'GET /health/ready s',
  getSale: 'GET /v1/sales/{id} s',
  createSaleTicket: 'POST /v1/sales/{id}/tickets bk',
  getSaleTicket: 'GET /v1/sales/{id}/tickets/{ticketId} s',
  checkOut: 'POST /v1/checkouts bk',
  openDemoDrop: 'POST /v1/sandbox/drops',
  describeService: 'GET / s',
  showAuthentication: 'GET /v1/sandbox/authentications/{id} s',
  approveAuthentication: 'POST /v1/sandbox/authentications/{id}/approve',
  declineAuthentication: 'POST /v1/sandbox/authentications/{id}/decline',
  listSkus: 'GET /v1/skus qs',
  getSku: 'GET /v1/skus/{sku} s',
  quote: 'POST /v1/checkouts/quote bs',
  createReservation: 'POST /v1/reservations bk',
  getReservation: 'GET /v1/reservations/{id} s',
  releaseReservation: 'DELETE /v1/reservations/{id} s',
  changeReservation: 'PUT /v1/reservations/{id}/lines bs',
  extendReservation: 'POST /v1/reservations/{id}/extend b',
  receiveWebhook: 'POST /v1/webhooks/{provider} b',
  getAccount: 'GET /v1/accounts/{id} s',
  listAccountEntries: 'GET /v1/accounts/{id}/entries qs',
  listOrders: 'GET /v1/orders qs',
  getOrder: 'GET /v1/orders/{id} s',
  getOrderTimeline: 'GET /v1/orders/{id}/timeline s',
  cancelOrder: 'POST /v1/orders/{id}/cancel bk',
} as const;

export interface StorefrontMethods {
  /** Whether the process runs */
  isLive(options?: CallOptions): Promise<Answer<'isLive'>>;
  /** Whether it can serve: the database, its migrations, Redis */
  isReady(options?: CallOptions): Promise<Answer<'isReady'>>;
  /** Read a sale and how many wait; admins also see who changed it */
  getSale(id: string, options?: CallOptions): Promise<Answer<'getSale'>>;
  /** Join the queue of a sale: one ticket per customer and e-mail */
  createSaleTicket(id: string, body: Body<'createSaleTicket'>, options?: CallOptions): Promise<Answer<'createSaleTicket'>>;
  /** How a ticket stands; ask again after Retry-After */
  getSaleTicket(id: string, ticketId: string, options?: CallOptions): Promise<Answer<'getSaleTicket'>>;
  /** Check out: reserve, charge and confirm, all or nothing */
  checkOut(body: Body<'checkOut'>, options?: CallOptions): Promise<Answer<'checkOut'>>;
  /** The flash sale of the demo: the one that is on, or a new one */
  openDemoDrop(options?: CallOptions): Promise<Answer<'openDemoDrop'>>;
  /** What this is, and where its parts are */
  describeService(options?: CallOptions): Promise<Answer<'describeService'>>;
  /** The customer’s page of 3-D Secure */
  showAuthentication(id: string, options?: CallOptions): Promise<Answer<'showAuthentication'>>;
  /** The customer approves: the payment goes on by a callback */
  approveAuthentication(id: string, options?: CallOptions): Promise<Answer<'approveAuthentication'>>;
  /** The customer declines */
  declineAuthentication(id: string, options?: CallOptions): Promise<Answer<'declineAuthentication'>>;
  /** List SKUs, such as the seat map of a group */
  listSkus(query?: Query<'listSkus'>, options?: CallOptions): Promise<Answer<'listSkus'>>;
  /** Read a SKU; its ETag changes with its catalogue data and its stock */
  getSku(sku: string, options?: CallOptions): Promise<Answer<'getSku'>>;
  /** Price lines and say what is available, without any effect */
  quote(body: Body<'quote'>, options?: CallOptions): Promise<Answer<'quote'>>;
  /** Hold lines, the first of several alternatives that can be held whole, or the best seats of a group */
  createReservation(body: Body<'createReservation'>, options?: CallOptions): Promise<Answer<'createReservation'>>;
  /** Read a reservation */
  getReservation(id: string, options?: CallOptions): Promise<Answer<'getReservation'>>;
  /** Release a reservation; twice is as good as once */
  releaseReservation(id: string, options?: CallOptions): Promise<Answer<'releaseReservation'>>;
  /** Change what a reservation holds, all or nothing */
  changeReservation(id: string, body: Body<'changeReservation'>, options?: CallOptions): Promise<Answer<'changeReservation'>>;
  /** Extend a reservation, within the limit of all its extensions */
  extendReservation(id: string, body: Body<'extendReservation'>, options?: CallOptions): Promise<Answer<'extendReservation'>>;
  /** Callbacks of the payment provider, authenticated by their signature */
  receiveWebhook(provider: string, body: Body<'receiveWebhook'>, options?: CallOptions): Promise<Answer<'receiveWebhook'>>;
  /** Read an account: for admins, and for its customer with their JWT */
  getAccount(id: string, options?: CallOptions): Promise<Answer<'getAccount'>>;
  /** The entries of an account, newest first */
  listAccountEntries(id: string, query?: Query<'listAccountEntries'>, options?: CallOptions): Promise<Answer<'listAccountEntries'>>;
  /** Orders, newest first: a customer’s own, or for an admin those of all */
  listOrders(query?: Query<'listOrders'>, options?: CallOptions): Promise<Answer<'listOrders'>>;
  /** An order, for its customer, the holder of its access token, or an admin */
  getOrder(id: string, options?: CallOptions): Promise<Answer<'getOrder'>>;
  /** What happened to the order, and why */
  getOrderTimeline(id: string, options?: CallOptions): Promise<Answer<'getOrderTimeline'>>;
  /** Cancel an order: pay back, free the stock */
  cancelOrder(id: string, body?: Body<'cancelOrder'>, options?: CallOptions): Promise<Answer<'cancelOrder'>>;
}
