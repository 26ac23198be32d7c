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
/** Also takes the API key as a bearer token, for a route that no customer's token is for. */
export const TakesBearerKey = () => SetMetadata(BEARER_KEY_METADATA, true);

export const EVENTS_TOKEN_METADATA = 'checkout:events-token';
/** Also takes the token of the order's `eventsUrl` in place of a key: a browser's EventSource sends no headers. */
export const TakesEventsToken = () => SetMetadata(EVENTS_TOKEN_METADATA, true);

/** Who is calling, as far as the caller has proven it. */
export interface Caller {
  readonly scope: 'storefront' | 'admin';
  /** Names the client in idempotency scopes, limits, audits and logs: its keys may be rotated, its name stays. */
  readonly client: string;
  /** What the release before took for the client's name: a hash of each of its keys, that of the one sent first. */
  readonly formerKeyIds: readonly string[];
  /** Where the request came from, as far as limits tell addresses apart; undefined where limits are off. */
  readonly network?: string;
  /** Subject of the customer's own JWT. */
  readonly customerId?: string;
  /** What X-Access-Token carried, unverified: the resource decides. */
  readonly accessToken?: string;
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
