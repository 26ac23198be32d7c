import type { Tx } from '../../platform/postgres/tx.js';
import type { TraceContext } from '../../platform/tracing/trace-context.js';
import type { CallbackEvent } from '../gateway/payment-gateway.js';

/** The result of an event: it had its effect (or needs none), or it came too early and is tried again later. */
export type WebhookVerdict =
  | {
      readonly kind: 'done';
      /** Commits with the event's own end, and only once, however often the event was delivered. */
      readonly record?: (tx: Tx) => void;
      /** Of what the event is about. */
      readonly trace?: TraceContext | undefined;
    }
  | { readonly kind: 'later'; readonly reason: string };

/** The payment module knows no orders and no sagas. A module that does implements this. Must be idempotent. */
export interface CallbackHandler {
  handle(event: CallbackEvent, signal: AbortSignal): Promise<WebhookVerdict>;
}
