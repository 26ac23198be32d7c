import type { Client, Schemas } from '@checkout-saga/client';
import { words } from '../data/format.js';
import { amountTyped } from './amount-field.js';
import type { Confirmed } from './verb-request.js';

export type Preview = Schemas['VerbPreview'];

/** What a verb is applied to. */
export interface Subject {
  readonly kind: string;
  readonly id: string;
  readonly orderId?: string | null | undefined;
  /** Of a delivery. */
  readonly endpointId?: string | undefined;
}

/** It was done, and met the same again: a refusal, not an answer that got lost. */
export class FailedAgainError extends Error {}

/** How long a verb is waited for; what takes longer goes on, and is seen on its page. */
const WAIT = 'wait=5';

/** Does it, and says what came of it. What has no key is guarded by the state of its subject: a second time is refused. */
export async function apply(
  client: Client,
  { kind, id, endpointId = '' }: Subject,
  { verb, effects }: Preview,
  { reason, value, idempotencyKey }: Confirmed,
): Promise<string> {
  switch (`${kind} ${verb}`) {
    case 'saga retry':
      return stateOf('The saga', await client.retrySaga(id, { reason }));
    case 'saga compensate':
      return stateOf('The saga', await client.compensateSaga(id, { reason }));
    case 'saga resolve':
      return stateOf('The saga', await client.resolveSaga(id, { reason }));
    case 'order cancel':
      return stateOf('The order', await client.cancelOrder(id, { reason }, { prefer: WAIT, idempotencyKey }));
    case 'order capture': {
      const body = { reason, amount: amountTyped(value, effects) };
      const { payment } = await client.captureOrder(id, body, { prefer: WAIT, idempotencyKey });
      return payment ? stateOf('The payment', payment) : 'It was captured';
    }
    case 'order refund': {
      // As much as the dialog said, never "what is left by now".
      const body = { reason, amount: amountTyped(value, effects) };
      return stateOf('The refund', await client.refundOrder(id, body, { prefer: WAIT, idempotencyKey }));
    }
    case 'callback replay':
      return stateOf('The callback', await client.replayWebhookEvent(id, { reason }));
    case 'delivery replay':
      return stateOf('The delivery', await client.replayWebhookDelivery(endpointId, id, { reason }));
    case 'dead-letter retry': {
      const letter = await client.retryDeadLetter(id, { reason });
      if (letter.state === 'OPEN') throw new FailedAgainError(letter.reason);
      return 'The command was processed';
    }
    case 'dead-letter discard':
      await client.discardDeadLetter(id, { reason });
      return 'The command is discarded';
    default:
      throw new Error(`The console does not know how to ${verb} a ${kind}.`);
  }
}

function stateOf(what: string, { state }: { readonly state: string }): string {
  return `${what} is ${words(state).toLowerCase()}`;
}
