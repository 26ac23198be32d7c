// Generated from openapi.json by `npm run openapi`. Do not edit.
import type { Answer, Body, CallOptions, Query } from '../operation.js';

/** Method, path, and flags: b a body, q a query, k an Idempotency-Key, s may be repeated without one. */
export const ADMIN_ROUTES = {
  getMetrics: 'GET /metrics s',
  listSales: 'GET /v1/sales qs',
  putSale: 'PUT /v1/sales/{id} bs',
  pauseSale: 'POST /v1/sales/{id}/pause',
  resumeSale: 'POST /v1/sales/{id}/resume',
  endSale: 'POST /v1/sales/{id}/end',
  listDeadLetters: 'GET /v1/dead-letters qs',
  getDeadLetter: 'GET /v1/dead-letters/{id} s',
  retryDeadLetter: 'POST /v1/dead-letters/{id}/retry',
  discardDeadLetter: 'POST /v1/dead-letters/{id}/discard',
  resetSandbox: 'POST /v1/sandbox/reset',
  expireReservation: 'POST /v1/sandbox/expire b',
  listWebhookEndpoints: 'GET /v1/webhook-endpoints qs',
  createWebhookEndpoint: 'POST /v1/webhook-endpoints b',
  getWebhookEndpoint: 'GET /v1/webhook-endpoints/{id} s',
  removeWebhookEndpoint: 'DELETE /v1/webhook-endpoints/{id} s',
  rotateWebhookSecret: 'POST /v1/webhook-endpoints/{id}/rotate-secret',
  disableWebhookEndpoint: 'POST /v1/webhook-endpoints/{id}/disable',
  enableWebhookEndpoint: 'POST /v1/webhook-endpoints/{id}/enable',
  listWebhookDeliveries: 'GET /v1/webhook-endpoints/{id}/deliveries qs',
  replayWebhookDelivery: 'POST /v1/webhook-endpoints/{id}/deliveries/{deliveryId}/replay',
  listSandboxCharges: 'GET /v1/sandbox/charges qs',
  getSandboxFaults: 'GET /v1/sandbox/faults s',
  putSandboxFaults: 'PUT /v1/sandbox/faults bs',
  putSku: 'PUT /v1/skus/{sku} bs',
  adjustStock: 'POST /v1/skus/{sku}/adjustments bk',
  listLocks: 'GET /v1/locks s',
  listSagas: 'GET /v1/sagas qs',
  getSaga: 'GET /v1/sagas/{id} s',
  retrySaga: 'POST /v1/sagas/{id}/retry b',
  compensateSaga: 'POST /v1/sagas/{id}/compensate b',
  resolveSaga: 'POST /v1/sagas/{id}/resolve b',
  listWebhookEvents: 'GET /v1/webhook-events qs',
  replayWebhookEvent: 'POST /v1/webhook-events/{id}/replay',
  refundOrder: 'POST /v1/orders/{id}/refunds bk',
  checkInvariants: 'GET /v1/invariants s',
  eraseCustomer: 'POST /v1/customers/{id}/erase b',
} as const;

export interface AdminMethods {
  /** Metrics of this instance, and of the database that all instances share */
  getMetrics(options?: CallOptions): Promise<Answer<'getMetrics'>>;
  /** Sales, by id */
  listSales(query?: Query<'listSales'>, options?: CallOptions): Promise<Answer<'listSales'>>;
  /** Set up a sale, or change its rate, its room or its end */
  putSale(id: string, body: Body<'putSale'>, options?: CallOptions): Promise<Answer<'putSale'>>;
  /** Call nobody for now; who was called may still buy */
  pauseSale(id: string, options?: CallOptions): Promise<Answer<'pauseSale'>>;
  /** Go on calling, from where it was paused */
  resumeSale(id: string, options?: CallOptions): Promise<Answer<'resumeSale'>>;
  /** End a sale for good: from now on nobody needs a ticket */
  endSale(id: string, options?: CallOptions): Promise<Answer<'endSale'>>;
  /** Commands from the stream that could not be processed, newest first */
  listDeadLetters(query?: Query<'listDeadLetters'>, options?: CallOptions): Promise<Answer<'listDeadLetters'>>;
  /** A dead letter with its reason and its message */
  getDeadLetter(id: string, options?: CallOptions): Promise<Answer<'getDeadLetter'>>;
  /** Process the command again, under its own id */
  retryDeadLetter(id: string, options?: CallOptions): Promise<Answer<'retryDeadLetter'>>;
  /** Close a dead letter that nobody will process */
  discardDeadLetter(id: string, options?: CallOptions): Promise<Answer<'discardDeadLetter'>>;
  /** Forget everything: orders, stock, webhook endpoints, faults; the demo catalogue is there again */
  resetSandbox(options?: CallOptions): Promise<Answer<'resetSandbox'>>;
  /** End a hold now, as if its time were over */
  expireReservation(body: Body<'expireReservation'>, options?: CallOptions): Promise<Answer<'expireReservation'>>;
  /** Endpoints, newest first */
  listWebhookEndpoints(query?: Query<'listWebhookEndpoints'>, options?: CallOptions): Promise<Answer<'listWebhookEndpoints'>>;
  /** Register an endpoint; its signing secret is shown this once */
  createWebhookEndpoint(body: Body<'createWebhookEndpoint'>, options?: CallOptions): Promise<Answer<'createWebhookEndpoint'>>;
  /** An endpoint, without its secret */
  getWebhookEndpoint(id: string, options?: CallOptions): Promise<Answer<'getWebhookEndpoint'>>;
  /** Remove an endpoint with its deliveries */
  removeWebhookEndpoint(id: string, options?: CallOptions): Promise<Answer<'removeWebhookEndpoint'>>;
  /** A new signing secret, shown this once; the old one keeps signing beside it for 24 hours */
  rotateWebhookSecret(id: string, options?: CallOptions): Promise<Answer<'rotateWebhookSecret'>>;
  /** Stop delivering: what is open waits, what happens meanwhile is not delivered */
  disableWebhookEndpoint(id: string, options?: CallOptions): Promise<Answer<'disableWebhookEndpoint'>>;
  /** Deliver again, beginning with what is open */
  enableWebhookEndpoint(id: string, options?: CallOptions): Promise<Answer<'enableWebhookEndpoint'>>;
  /** Deliveries of an endpoint, newest first */
  listWebhookDeliveries(id: string, query?: Query<'listWebhookDeliveries'>, options?: CallOptions): Promise<Answer<'listWebhookDeliveries'>>;
  /** Deliver again, now: what is dead, what waits for a retry, or what was delivered before */
  replayWebhookDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<Answer<'replayWebhookDelivery'>>;
  /** The provider’s own ledger about an order */
  listSandboxCharges(query: Query<'listSandboxCharges'>, options?: CallOptions): Promise<Answer<'listSandboxCharges'>>;
  /** What the sandbox does wrong on demand */
  getSandboxFaults(options?: CallOptions): Promise<Answer<'getSandboxFaults'>>;
  /** Replace all faults; `{}` ends them */
  putSandboxFaults(body: Body<'putSandboxFaults'>, options?: CallOptions): Promise<Answer<'putSandboxFaults'>>;
  /** Create a SKU with its stock, or change its catalogue data */
  putSku(sku: string, body: Body<'putSku'>, options?: CallOptions): Promise<Answer<'putSku'>>;
  /** Change the stock by a delta, never below what is reserved */
  adjustStock(sku: string, body: Body<'adjustStock'>, options?: CallOptions): Promise<Answer<'adjustStock'>>;
  /** The locks that are held now, by any instance */
  listLocks(options?: CallOptions): Promise<Answer<'listLocks'>>;
  /** Sagas, newest first */
  listSagas(query?: Query<'listSagas'>, options?: CallOptions): Promise<Answer<'listSagas'>>;
  /** A saga with its step log and audit trail */
  getSaga(id: string, options?: CallOptions): Promise<Answer<'getSaga'>>;
  /** Try a STUCK saga again, from where it stopped */
  retrySaga(id: string, body?: Body<'retrySaga'>, options?: CallOptions): Promise<Answer<'retrySaga'>>;
  /** Turn a saga back, unless it has passed its pivot */
  compensateSaga(id: string, body?: Body<'compensateSaga'>, options?: CallOptions): Promise<Answer<'compensateSaga'>>;
  /** Close a STUCK saga whose effects were settled by hand */
  resolveSaga(id: string, body?: Body<'resolveSaga'>, options?: CallOptions): Promise<Answer<'resolveSaga'>>;
  /** Callbacks that were received, newest first */
  listWebhookEvents(query?: Query<'listWebhookEvents'>, options?: CallOptions): Promise<Answer<'listWebhookEvents'>>;
  /** Process a callback again, a dead one above all */
  replayWebhookEvent(id: string, options?: CallOptions): Promise<Answer<'replayWebhookEvent'>>;
  /** Refund a captured payment, in full or in part */
  refundOrder(id: string, body: Body<'refundOrder'>, options?: CallOptions): Promise<Answer<'refundOrder'>>;
  /** Every invariant, checked now */
  checkInvariants(options?: CallOptions): Promise<Answer<'checkInvariants'>>;
  /** Anonymise a customer’s orders; the books are kept */
  eraseCustomer(id: string, body: Body<'eraseCustomer'>, options?: CallOptions): Promise<Answer<'eraseCustomer'>>;
}
