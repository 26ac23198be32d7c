// Generated from openapi.json by `npm run openapi`. Do not edit.
import type { Answer, Body, CallOptions, Query } from '../operation.js';

/** Method, path, and flags: b a body, q a query, k an Idempotency-Key, s may be repeated without one. */
export const ADMIN_ROUTES = {
  getMetrics: 'GET /metrics s',
  listSales: 'GET /v1/sales qs',
  putSale: 'PUT /v1/sales/{id} bs',
  pauseSale: 'POST /v1/sales/{id}/pause b',
  resumeSale: 'POST /v1/sales/{id}/resume b',
  endSale: 'POST /v1/sales/{id}/end b',
  listDeadLetters: 'GET /v1/dead-letters qs',
  getDeadLetter: 'GET /v1/dead-letters/{id} s',
  retryDeadLetter: 'POST /v1/dead-letters/{id}/retry b',
  discardDeadLetter: 'POST /v1/dead-letters/{id}/discard b',
  listAttention: 'GET /v1/attention s',
  getOrderDossier: 'GET /v1/orders/{id}/dossier s',
  compareOrder: 'GET /v1/orders/{id}/comparison s',
  listDifferences: 'GET /v1/differences s',
  search: 'GET /v1/search qs',
  listOperatorActions: 'GET /v1/operator-actions qs',
  listBulkRuns: 'GET /v1/bulk-runs qs',
  planBulkRun: 'POST /v1/bulk-runs bk',
  getBulkRun: 'GET /v1/bulk-runs/{id} s',
  listBulkItems: 'GET /v1/bulk-runs/{id}/items qs',
  startBulkRun: 'POST /v1/bulk-runs/{id}/start b',
  stopBulkRun: 'POST /v1/bulk-runs/{id}/stop b',
  getOverview: 'GET /v1/overview s',
  listHotSkus: 'GET /v1/hot-skus s',
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
  replayWebhookDelivery: 'POST /v1/webhook-endpoints/{id}/deliveries/{deliveryId}/replay b',
  listSandboxCharges: 'GET /v1/sandbox/charges qs',
  getSandboxFaults: 'GET /v1/sandbox/faults s',
  putSandboxFaults: 'PUT /v1/sandbox/faults bs',
  putSku: 'PUT /v1/skus/{sku} bs',
  adjustStock: 'POST /v1/skus/{sku}/adjustments bk',
  listLocks: 'GET /v1/locks s',
  getCoupon: 'GET /v1/coupons/{code} s',
  putCoupon: 'PUT /v1/coupons/{code} bs',
  listSagas: 'GET /v1/sagas qs',
  getSaga: 'GET /v1/sagas/{id} s',
  retrySaga: 'POST /v1/sagas/{id}/retry b',
  compensateSaga: 'POST /v1/sagas/{id}/compensate b',
  resolveSaga: 'POST /v1/sagas/{id}/resolve b',
  listWebhookEvents: 'GET /v1/webhook-events qs',
  replayWebhookEvent: 'POST /v1/webhook-events/{id}/replay b',
  putAccount: 'PUT /v1/accounts/{id} bs',
  addAccountEntry: 'POST /v1/accounts/{id}/entries bk',
  issueGiftCard: 'POST /v1/gift-cards bk',
  captureOrder: 'POST /v1/orders/{id}/capture bk',
  refundOrder: 'POST /v1/orders/{id}/refunds bk',
  checkInvariants: 'GET /v1/invariants s',
  listInvariantHistory: 'GET /v1/invariants/history qs',
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
  pauseSale(id: string, body?: Body<'pauseSale'>, options?: CallOptions): Promise<Answer<'pauseSale'>>;
  /** Go on calling, from where it was paused */
  resumeSale(id: string, body?: Body<'resumeSale'>, options?: CallOptions): Promise<Answer<'resumeSale'>>;
  /** End a sale for good: from now on nobody needs a ticket */
  endSale(id: string, body?: Body<'endSale'>, options?: CallOptions): Promise<Answer<'endSale'>>;
  /** Commands from the stream that could not be processed, newest first */
  listDeadLetters(query?: Query<'listDeadLetters'>, options?: CallOptions): Promise<Answer<'listDeadLetters'>>;
  /** A dead letter with its reason and its message */
  getDeadLetter(id: string, options?: CallOptions): Promise<Answer<'getDeadLetter'>>;
  /** Process the command again, under its own id */
  retryDeadLetter(id: string, body?: Body<'retryDeadLetter'>, options?: CallOptions): Promise<Answer<'retryDeadLetter'>>;
  /** Close a dead letter that nobody will process */
  discardDeadLetter(id: string, body?: Body<'discardDeadLetter'>, options?: CallOptions): Promise<Answer<'discardDeadLetter'>>;
  /** What needs a person, by cause, and what to do about it */
  listAttention(options?: CallOptions): Promise<Answer<'listAttention'>>;
  /** Everything about one order, on one axis */
  getOrderDossier(id: string, options?: CallOptions): Promise<Answer<'getOrderDossier'>>;
  /** Provider, payment and order side by side */
  compareOrder(id: string, options?: CallOptions): Promise<Answer<'compareOrder'>>;
  /** Where the provider, our payments and our orders differ */
  listDifferences(options?: CallOptions): Promise<Answer<'listDifferences'>>;
  /** Orders, sagas and SKUs by whatever is at hand */
  search(query: Query<'search'>, options?: CallOptions): Promise<Answer<'search'>>;
  /** The audit trail: what operators did, newest first */
  listOperatorActions(query?: Query<'listOperatorActions'>, options?: CallOptions): Promise<Answer<'listOperatorActions'>>;
  /** Bulk runs, newest first */
  listBulkRuns(query?: Query<'listBulkRuns'>, options?: CallOptions): Promise<Answer<'listBulkRuns'>>;
  /** A dry run: what a verb would do to everything that a filter finds */
  planBulkRun(body: Body<'planBulkRun'>, options?: CallOptions): Promise<Answer<'planBulkRun'>>;
  /** A bulk run and how far it is */
  getBulkRun(id: string, options?: CallOptions): Promise<Answer<'getBulkRun'>>;
  /** What a bulk run touches, and what came of each */
  listBulkItems(id: string, query?: Query<'listBulkItems'>, options?: CallOptions): Promise<Answer<'listBulkItems'>>;
  /** Start what was planned, or go on with what was stopped */
  startBulkRun(id: string, body?: Body<'startBulkRun'>, options?: CallOptions): Promise<Answer<'startBulkRun'>>;
  /** Stop it: the item under way is finished, no other is begun */
  stopBulkRun(id: string, body?: Body<'stopBulkRun'>, options?: CallOptions): Promise<Answer<'stopBulkRun'>>;
  /** The service as it is now, over all instances */
  getOverview(options?: CallOptions): Promise<Answer<'getOverview'>>;
  /** What sells now, and how long it will last */
  listHotSkus(options?: CallOptions): Promise<Answer<'listHotSkus'>>;
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
  replayWebhookDelivery(id: string, deliveryId: string, body?: Body<'replayWebhookDelivery'>, options?: CallOptions): Promise<Answer<'replayWebhookDelivery'>>;
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
  /** Read a coupon and how often it was redeemed */
  getCoupon(code: string, options?: CallOptions): Promise<Answer<'getCoupon'>>;
  /** Create a coupon, or change its rules */
  putCoupon(code: string, body: Body<'putCoupon'>, options?: CallOptions): Promise<Answer<'putCoupon'>>;
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
  replayWebhookEvent(id: string, body?: Body<'replayWebhookEvent'>, options?: CallOptions): Promise<Answer<'replayWebhookEvent'>>;
  /** Create an account for store credit, or change whose it is */
  putAccount(id: string, body: Body<'putAccount'>, options?: CallOptions): Promise<Answer<'putAccount'>>;
  /** Add credit, or take it away */
  addAccountEntry(id: string, body: Body<'addAccountEntry'>, options?: CallOptions): Promise<Answer<'addAccountEntry'>>;
  /** Issue a gift card */
  issueGiftCard(body: Body<'issueGiftCard'>, options?: CallOptions): Promise<Answer<'issueGiftCard'>>;
  /** Take what was authorised, in full or in part, once */
  captureOrder(id: string, body: Body<'captureOrder'>, options?: CallOptions): Promise<Answer<'captureOrder'>>;
  /** Refund a captured payment, in full or in part */
  refundOrder(id: string, body: Body<'refundOrder'>, options?: CallOptions): Promise<Answer<'refundOrder'>>;
  /** Every invariant, checked now */
  checkInvariants(options?: CallOptions): Promise<Answer<'checkInvariants'>>;
  /** What the checks found, newest first */
  listInvariantHistory(query?: Query<'listInvariantHistory'>, options?: CallOptions): Promise<Answer<'listInvariantHistory'>>;
  /** Anonymise a customer’s orders; the books are kept */
  eraseCustomer(id: string, body: Body<'eraseCustomer'>, options?: CallOptions): Promise<Answer<'eraseCustomer'>>;
}
