import type { WebhookVerdict } from '../../payment/callbacks/callback-handler.js';

/** The effect of an event, as the order's timeline shows it. */
export type Effect = 'known' | 'woken' | 'refunding' | 'retried' | 'left-to-operator' | 'closing' | 'voided';

export const later = (reason: string): WebhookVerdict => ({ kind: 'later', reason });
