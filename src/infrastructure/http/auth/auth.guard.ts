import { CanActivate, ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { ApiKeys } from './api-keys.js';
import { ACCESS_METADATA, Caller, RouteAccess } from './caller.js';
import { CustomerTokens } from './customer-tokens.js';

/** A route that says nothing is for admins: forgetting the decorator closes a door rather than opening one. */
@Injectable()
export class AuthGuard implements CanActivate {
  private readonly keys: ApiKeys;
  private readonly customers: CustomerTokens;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly reflector: Reflector,
    private readonly limiter: RateLimiter,
  ) {
    this.keys = new ApiKeys(config.auth.adminKeys, config.auth.storefrontKeys);
    this.customers = new CustomerTokens(config.auth);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access =
      this.reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS_METADATA, [
        context.getHandler(),
        context.getClass(),
      ]) ?? 'admin';
    if (access === 'open') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const caller = this.identify(request, http.getResponse<FastifyReply>());
    if (access === 'admin' && caller.scope !== 'admin')
      throw new DomainError('FORBIDDEN', 'This call needs an admin key');
    const { authorization } = request.headers;
    if (authorization === undefined) {
      request.caller = caller;
      return true;
    }
    return this.customers.customerOf(authorization).then((customerId) => {
      request.caller = { ...caller, customerId };
      return true;
    });
  }

  private identify(request: FastifyRequest, reply: FastifyReply): Caller {
    const key = request.headers['x-api-key'];
    const known = typeof key === 'string' ? this.keys.find(key) : undefined;
    if (!known) {
      this.limiter.admitStranger(request);
      throw new DomainError('UNAUTHENTICATED', 'Send a valid key in the X-Api-Key header');
    }
    const network = this.limiter.admit(known.client, request, reply);
    const accessToken = request.headers['x-access-token'];
    return {
      ...known,
      ...(network !== undefined && { network }),
      ...(typeof accessToken === 'string' && { accessToken }),
    };
  }
}
