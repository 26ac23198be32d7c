import { ApiExtension, ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { z } from 'zod';
import type { ErrorCode } from '../../../common/domain-error.js';
import type { ResponseHeader } from './headers.js';

/** Notes on a route for `finishDocument`, which turns them into OpenAPI and removes them. */
export const NOTES = {
  access: 'x-access',
  problems: 'x-problems',
  idempotent: 'x-idempotent',
  proof: 'x-proof',
} as const;

/** The answer of a route that succeeds. */
export const ApiAnswer = (
  status: number,
  description: string,
  schema: z.ZodType,
  headers: readonly ResponseHeader[] = [],
): MethodDecorator =>
  ApiResponse({
    status,
    description,
    standardSchema: schema,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  });

/**
 * The refusals that only this route has. Those that follow from its key, body or Idempotency-Key are added
 * automatically.
 */
export const ApiProblems = (...codes: readonly ErrorCode[]): MethodDecorator => ApiExtension(NOTES.problems, codes);

/** Whether a storefront's caller must, or may, prove that the resource is theirs: by its access token or their own JWT. */
export type Proof = 'required' | 'optional';

export const ApiProof = (proof: Proof = 'required'): MethodDecorator => ApiExtension(NOTES.proof, proof);

export const ApiPrefer = (): MethodDecorator =>
  ApiHeader({
    name: 'Prefer',
    description:
      'RFC 7240. `wait=N` bounds the wait to N seconds (default 10, at most 25); `respond-async` answers 202 at once.',
    required: false,
    schema: { type: 'string' },
  });

export const ApiSaleTicket = (): MethodDecorator =>
  ApiHeader({
    name: 'X-Sale-Ticket',
    description: 'While a sale of what is wanted is on: the token of a ticket that was called. A ticket buys once.',
    required: false,
    schema: { type: 'string' },
  });

export const ApiIfNoneMatch = (): MethodDecorator =>
  ApiHeader({
    name: 'If-None-Match',
    description: 'The ETag that was read: answered with 304 while nothing has changed.',
    required: false,
    schema: { type: 'string' },
  });

export const ApiNotModified = (): MethodDecorator =>
  ApiResponse({ status: 304, description: 'What `If-None-Match` names is still what is there' });

export const ApiIfMatch = (): MethodDecorator =>
  ApiHeader({
    name: 'If-Match',
    description: 'The ETag that was read: the change is refused if somebody else was quicker. `*` asks that it exists.',
    required: false,
    schema: { type: 'string' },
  });
