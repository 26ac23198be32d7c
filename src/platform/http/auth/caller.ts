import { applyDecorators, createParamDecorator, ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { NOTES } from '../openapi/decorators.js';

/** Who may call a route. An admin key may do what a storefront key may; `open` needs none. */
export type RouteAccess = 'open' | 'storefront' | 'admin';

export const ACCESS_METADATA = 'checkout:access';
export const Access = (access: RouteAccess) =>
  applyDecorators(SetMetadata(ACCESS_METADATA, access), ApiExtension(NOTES.access, access));

export const BEARER_KEY_METADATA = 'checkout:bearer-key';
/** Also accepts the API key as a bearer token, on a route that takes no customer's token. */
export const TakesBearerKey = () => SetMetadata(BEARER_KEY_METADATA, true);

export const EVENTS_TOKEN_METADATA = 'checkout:events-token';
/** Also takes the token of the order's `eventsUrl` in place of a key: a browser's EventSource sends no headers. */
export const TakesEventsToken = () => SetMetadata(EVENTS_TOKEN_METADATA, true);

/** Who is calling, as far as the caller has proven it. */
export interface Caller {
  readonly scope: 'storefront' | 'admin';
  /** The client's name in idempotency scopes, limits, audits and logs. It stays the same when keys are rotated. */
  readonly client: string;
  /** The client's names in the previous release: a hash of each of its keys, beginning with the key that was sent. */
  readonly formerKeyIds: readonly string[];
  /** The sender's network, as limits count it; undefined if limits are off. */
  readonly network?: string | undefined;
  /** Subject of the customer's own JWT. */
  readonly customerId?: string;
  /** The unverified X-Access-Token. The resource verifies it. */
  readonly accessToken?: string | undefined;
  /** What X-Sale-Ticket carried, unverified: the sale decides. */
  readonly saleTicket?: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
  }
}

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('CurrentCaller on an open route');
  return caller;
});
