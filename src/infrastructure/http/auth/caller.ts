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

/** Who is calling, as far as the caller has proven it. */
export interface Caller {
  readonly scope: 'storefront' | 'admin';
  /** Names the key in idempotency scopes, limits and audits without revealing it. */
  readonly keyId: string;
  /** The key and the address that limits count for; undefined where limits are off. */
  readonly origin?: string;
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
