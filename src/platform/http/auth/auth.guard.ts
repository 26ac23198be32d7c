import { CanActivate, ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { LoadShedder, LONG_LIVED_METADATA } from '../limits/load-shedder.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { ApiKeys } from './api-keys.js';
import { AccessTokens } from './access-tokens.js';
import { ACCESS_METADATA, BEARER_KEY_METADATA, Caller, EVENTS_TOKEN_METADATA, RouteAccess } from './caller.js';
import { CustomerTokens } from './customer-tokens.js';

/** Names those who come with the token of an order's events in idempotency scopes, limits and logs. */
const EVENTS_CLIENT = 'events';

/** A route that says nothing is for admins: forgetting the decorator closes a door rather than opening one. */
@Injectable()
export class AuthGuard implements CanActivate {
  private readonly keys: ApiKeys;
  private readonly customers: CustomerTokens;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly reflector: Reflector,
    private readonly limiter: RateLimiter,
    private readonly tokens: AccessTokens,
    private readonly load: LoadShedder,
  ) {
    this.keys = new ApiKeys(config.auth.adminKeys, config.auth.storefrontKeys);
    this.customers = new CustomerTokens(config.auth);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const route = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS_METADATA, route) ?? 'admin';
    if (access === 'open') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const eventsToken = eventsTokenOf(request);
    if (eventsToken !== undefined && this.reflector.getAllAndOverride<boolean>(EVENTS_TOKEN_METADATA, route)) {
      request.caller = this.follower(eventsToken, request, http.getResponse<FastifyReply>());
      return true;
    }
    const takesBearerKey = this.reflector.getAllAndOverride<boolean | undefined>(BEARER_KEY_METADATA, route) ?? false;
    const { key, authorization } = credentialsOf(request, takesBearerKey);
    const caller = this.identify(key, request, http.getResponse<FastifyReply>());
    if (access === 'admin' && caller.scope !== 'admin')
      throw new DomainError('FORBIDDEN', 'This call needs an admin key');
    const isLongLived = this.reflector.getAllAndOverride<boolean | undefined>(LONG_LIVED_METADATA, route) ?? false;
    if (caller.scope !== 'admin' && !isLongLived) this.load.admit(http.getResponse<FastifyReply>());
    if (authorization === undefined) {
      request.caller = caller;
      return true;
    }
    return this.customers.customerOf(authorization).then((customerId) => {
      request.caller = { ...caller, customerId };
      return true;
    });
  }

  /** May do what the holder of the order's own token may, on the one route that asks for this. */
  private follower(token: string, request: FastifyRequest, reply: FastifyReply): Caller {
    const { id } = request.params as { id: string };
    if (!this.tokens.opensEvents(token, id)) {
      this.limiter.admitStranger(request);
      throw new DomainError('UNAUTHENTICATED', 'The token of this address is not valid any more: read the order again');
    }
    const network = this.limiter.admit(EVENTS_CLIENT, request, reply);
    const accessToken = this.tokens.issue('order', id);
    const caller = { scope: 'storefront', client: EVENTS_CLIENT, formerKeyIds: [], accessToken } as const;
    return { ...caller, ...(network !== undefined && { network }) };
  }

  private identify(key: unknown, request: FastifyRequest, reply: FastifyReply): Caller {
    const known = typeof key === 'string' ? this.keys.find(key) : undefined;
    if (!known) {
      this.limiter.admitStranger(request);
      throw new DomainError('UNAUTHENTICATED', 'Send a valid key in the X-Api-Key header');
    }
    const network = this.limiter.admit(known.client, request, reply);
    const { 'x-access-token': accessToken, 'x-sale-ticket': saleTicket } = request.headers;
    return {
      ...known,
      ...(network !== undefined && { network }),
      ...(typeof accessToken === 'string' && { accessToken }),
      ...(typeof saleTicket === 'string' && { saleTicket }),
    };
  }
}

function credentialsOf({ headers }: FastifyRequest, takesBearerKey: boolean) {
  const { authorization, 'x-api-key': key } = headers;
  if (!takesBearerKey || key !== undefined) return { key, authorization };
  return { key: /^bearer (\S+)$/i.exec(authorization ?? '')?.[1], authorization: undefined };
}

/** Whoever sends a key is known by it. */
function eventsTokenOf({ headers, query }: FastifyRequest): string | undefined {
  const { token } = query as { token?: unknown };
  return headers['x-api-key'] === undefined && typeof token === 'string' ? token : undefined;
}
