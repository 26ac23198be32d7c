import { DomainError } from '../../common/domain-error.js';
import type { Caller } from '../../platform/http/auth/caller.js';
import { ValidationPipe } from '../../platform/http/validation.pipe.js';
import { identifyRequest, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import type { CommandMessage } from '../../platform/stream/stream-broker.js';
import type { RequestTrace } from '../../platform/tracing/traced-requests.js';
import { type CheckoutBody, checkoutSchema } from '../checkout.dto.js';

/** A command as it is received, or as the dead letters kept it. */
export type ReceivedCommand = Pick<CommandMessage, 'id' | 'source' | 'body' | 'traceparent'>;

export interface CheckoutCommand {
  readonly body: CheckoutBody;
  readonly request: IdempotentRequest;
}

/**
 * A client of its own, so that its ids meet no Idempotency-Key of an HTTP client. The broker decides who may publish commands;
 * whoever may is a server of the shop, and may name any customer and buy any reservation.
 */
export const STREAM_CALLER: Caller = { scope: 'admin', client: 'stream', formerKeyIds: [] };

const ROUTE = 'POST /v1/checkouts';
const validation = new ValidationPipe();

/** Throws what is wrong with it: a message that is not valid now never will be. */
export function parseCommand(
  { id, source, body: bytes }: ReceivedCommand,
  maxBytes: number,
  trace?: RequestTrace,
): CheckoutCommand {
  if (bytes.byteLength > maxBytes)
    throw new DomainError('PAYLOAD_TOO_LARGE', `The message has more than ${maxBytes} bytes`);
  if (id === undefined)
    throw new DomainError(
      'IDEMPOTENCY_KEY_MISSING',
      'Send a message id, so that a message sent twice cannot act twice',
    );
  const json = parseJson(bytes);
  const request = identifyRequest(
    { caller: STREAM_CALLER, route: ROUTE, params: {}, body: json, requestId: source, trace },
    id,
  );
  const body = validation.transform(json, { type: 'body', schema: checkoutSchema }) as CheckoutBody;
  return { body, request };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), refusePrototype);
  } catch (error) {
    throw new DomainError('VALIDATION_FAILED', 'The message is not a JSON document', {}, { cause: error });
  }
}

/** As over HTTP: a member of this name would become the prototype of what is made from the body. */
function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('__proto__ is not allowed');
  return value;
}
