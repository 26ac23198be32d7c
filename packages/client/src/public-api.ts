export { OutcomeUnknownError } from './call.js';
export {
  type Client,
  createClient,
  createStorefront,
  type FollowOptions,
  type OrderUpdate,
  type SaleTicket,
  type Sku,
  type Storefront,
} from './client.js';
export * from './generated/errors.js';
export type { Answer, Body, CallOptions, Query, Schemas } from './operation.js';
export { CheckoutError, ConnectionError, isProblem, ProblemError } from './problem-error.js';
export type { BuyerStorage } from './storage.js';
export type { ClientOptions } from './transport.js';
export { verifyWebhook, type WebhookHeaders, WebhookSignatureError } from './verify-webhook.js';
