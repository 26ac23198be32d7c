import type { Tx } from '../../platform/postgres/tx.js';
import type { CallbackEvent } from '../gateway/payment-gateway.js';

/** What became of an event: it had its effect (or needs none), or it is too early and comes again later. */
export type WebhookVerdict =
  | {
      readonly kind: 'done';
      /** Commits with the event's own end, once, however often it was delivered. */
      readonly record?: (tx: Tx) => void;
    }
  | { readonly kind: 'later'; readonly reason: string };

/** Payments know no orders and no sagas: whoever does handles the events. Must be idempotent. */
export interface CallbackHandler {
  handle(event: CallbackEvent, signal: AbortSignal): Promise<WebhookVerdict>;
}
