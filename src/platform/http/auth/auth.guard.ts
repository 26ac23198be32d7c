import { CanActivate, ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { LoadShedder, LONG_LIVED_METADATA, RateLimiter } from '../limits/rate-limiter.js';
import { AccessTokens } from './access-tokens.js';
import { ACCESS_METADATA, BEARER_KEY_METADATA, Caller, EVENTS_TOKEN_METADATA, RouteAccess } from './caller.js';
import { CustomerTokens } from './customer-tokens.js';
import { hash, timingSafeEqual } from 'node:crypto';
import type { ClientKey } from '../../config/client-key.js';

/** Names those who come with the token of an order's events in idempotency scopes, limits and logs. */
const EVENTS_CLIENT = 'events';

interface RouteRules {
  readonly access: RouteAccess;
  readonly takesBearerKey: boolean;
  readonly takesEventsToken: boolean;
  readonly isLongLived: boolean;
}

/** A route that says nothing is for admins: forgetting the decorator closes a door rather than opening one. */
@Injectable()
export class AuthGuard implements CanActivate {
  private readonly keys: ApiKeys;
  /** By handler: decorators do not change. */
  private readonly rules = new Map<object, RouteRules>();
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
    const rules = this.rules.get(context.getHandler()) ?? this.readRules(context);
    if (rules.access === 'open') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    let { 'x-api-key': key, authorization } = request.headers;
    // Whoever sends a key is known by it.
    if (key === undefined && rules.takesEventsToken) {
      const { token } = request.query as { token?: unknown };
      if (typeof token === 'string') {
        request.caller = this.follower(token, request, reply);
        return true;
      }
    }
    if (key === undefined && rules.takesBearerKey) {
      key = /^bearer (\S+)$/i.exec(authorization ?? '')?.[1];
      authorization = undefined;
    }
    const caller = this.identify(key, request, reply);
    if (rules.access === 'admin' && caller.scope !== 'admin')
      throw new DomainError('FORBIDDEN', 'This call needs an admin key');
    if (caller.scope !== 'admin' && !rules.isLongLived) this.load.admit(reply);
    request.caller = caller;
    if (authorization === undefined) return true;
    return this.customers.customerOf(authorization).then((customerId) => {
      request.caller = { ...caller, customerId };
      return true;
    });
  }

  private readRules(context: ExecutionContext): RouteRules {
    const route = [context.getHandler(), context.getClass()];
    const isSet = (name: string) => this.reflector.getAllAndOverride<boolean | undefined>(name, route) ?? false;
    const rules = {
      access: this.reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS_METADATA, route) ?? 'admin',
      takesBearerKey: isSet(BEARER_KEY_METADATA),
      takesEventsToken: isSet(EVENTS_TOKEN_METADATA),
      isLongLived: isSet(LONG_LIVED_METADATA),
    };
    this.rules.set(context.getHandler(), rules);
    return rules;
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
    return { scope: 'storefront', client: EVENTS_CLIENT, formerKeyIds: [], accessToken, network };
  }

  private identify(key: unknown, request: FastifyRequest, reply: FastifyReply): Caller {
    const known = typeof key === 'string' ? this.keys.find(key) : undefined;
    if (!known) {
      this.limiter.admitStranger(request);
      throw new DomainError('UNAUTHENTICATED', 'Send a valid key in the X-Api-Key header');
    }
    const network = this.limiter.admit(known.client, request, reply);
    const { scope, client, formerKeyIds } = known;
    const accessToken = single(request.headers['x-access-token']);
    const saleTicket = single(request.headers['x-sale-ticket']);
    return { scope, client, formerKeyIds, network, accessToken, saleTicket };
  }
}

/** A header that was sent once. */
function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

export type Client = Pick<Caller, 'scope' | 'client' | 'formerKeyIds'>;

interface KnownKey {
  readonly digest: Buffer;
  readonly client: Client;
}

/** Several keys per client, so that one can be rotated while the other still works. Only digests stay in memory. */
export class ApiKeys {
  private readonly known: readonly KnownKey[];

  constructor(adminKeys: readonly ClientKey[], storefrontKeys: readonly ClientKey[]) {
    this.known = [...known(adminKeys, 'admin'), ...known(storefrontKeys, 'storefront')];
  }

  /** Compares with every key in constant time, so that the time reveals nothing about any of them. */
  find(key: string): Client | undefined {
    const digest = digestOf(key);
    let found: KnownKey | undefined;
    for (const candidate of this.known) if (timingSafeEqual(candidate.digest, digest)) found ??= candidate;
    return found?.client;
  }
}

function known(keys: readonly ClientKey[], scope: Caller['scope']): KnownKey[] {
  const names = [...new Set(keys.map(({ name }) => name))];
  return names.flatMap((name) => {
    const digests = keys.filter((key) => key.name === name).flatMap(({ accepted }) => accepted.map(digestOf));
    const keyIds = digests.map((digest) => `${scope}:${digest.toString('hex', 0, 6)}`);
    const client = name === undefined ? scope : `${scope}:${name}`;
    return digests.map((digest, index) => {
      const formerKeyIds = [...new Set([keyIds[index] ?? '', ...keyIds])];
      return { digest, client: { scope, client, formerKeyIds } };
    });
  });
}

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
