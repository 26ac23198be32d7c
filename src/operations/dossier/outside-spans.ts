import type { Span } from './axis.js';
import type { ActionOfOrder, CallbackNote, CallbackOfOrder, DeliveryOfOrder } from './dossier.repository.js';

/** From arrival until processing. For purged callbacks, the notes that were made at the time. */
export function spansOfCallbacks(callbacks: readonly CallbackOfOrder[], notes: readonly CallbackNote[]): Span[] {
  const effects = new Map(notes.map(({ eventId, effect }) => [eventId, effect]));
  const kept = callbacks.map(({ eventId, type, state, attempts, error, receivedAt, processedAt }) => ({
    ...{ lane: 'callbacks', kind: 'callback' as const, name: type },
    from: receivedAt.getTime(),
    to: (processedAt ?? receivedAt).getTime(),
    result: effects.get(eventId) ?? state.toLowerCase(),
    error: error ?? undefined,
    attempt: attempts,
  }));
  const known = new Set(callbacks.map(({ eventId }) => eventId));
  const purged = notes
    .filter(({ eventId }) => !known.has(eventId))
    .map(({ at, type, effect }) => ({
      ...{ lane: 'callbacks', kind: 'callback' as const, name: type, result: effect },
      from: at.getTime(),
      to: at.getTime(),
    }));
  return [...kept, ...purged];
}

export function spansOfDeliveries(deliveries: readonly DeliveryOfOrder[]): Span[] {
  return deliveries.map(({ type, url, state, attempts, lastError, createdAt, deliveredAt }) => ({
    ...{ lane: 'deliveries', kind: 'delivery', name: type, result: state.toLowerCase() },
    from: createdAt.getTime(),
    to: (deliveredAt ?? createdAt).getTime(),
    error: state === 'DELIVERED' ? undefined : (lastError ?? undefined),
    attempt: attempts,
    detail: { url },
  }));
}

export function spansOfActions(actions: readonly ActionOfOrder[]): Span[] {
  return actions.map(({ verb, subjectKind, actor, reason, createdAt }) => ({
    ...{ lane: 'operators', kind: 'action', name: `${verb} ${subjectKind}`, detail: { actor, reason } },
    from: createdAt.getTime(),
    to: createdAt.getTime(),
  }));
}
