import type { SagaDefinition } from './saga-definition.js';
import type { SagaEngine } from './engine/saga-engine.service.js';
import { SagaHandedOverError } from './saga.errors.js';

/** Another saga does this or has done it, or there is nothing to do: this one leaves nothing. */
export class AlreadyHandledError extends Error {}

/**
 * Starts a saga whose first step checks whether another one was faster. Resolves when it is stored: from then on any
 * instance finishes it. `ended` resolves when it rests, here or elsewhere.
 */
export async function startOnce<D extends { readonly sagaId: string; readonly orderId: string }>(
  engine: SagaEngine,
  definition: SagaDefinition<D>,
  data: D,
): Promise<{ ended: Promise<void> }> {
  const ticket = engine.start(definition, { id: data.sagaId, subject: data.orderId, data });
  const ended = ticket.rested.catch((error: unknown) => {
    if (!(error instanceof AlreadyHandledError || error instanceof SagaHandedOverError)) throw error;
  });
  ended.catch(() => undefined); // callers that do not await the end get `started`
  await ticket.started.catch((error: unknown) => {
    if (!(error instanceof AlreadyHandledError)) throw error;
  });
  return { ended };
}
