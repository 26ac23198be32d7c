import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { DomainError } from '../../common/domain-error.js';
import type { Caller } from '../http/auth/caller.js';
import { NOTES } from '../http/openapi/decorators.js';
import type { RequestTrace } from '../tracing/traced-requests.js';
import type { StoredResponse } from './idempotency.repository.js';

/** A request that may arrive more than once, identified by its key and payload. */
export interface IdempotentRequest {
  readonly id: Buffer;
  /** The names of the same request in the previous release: see KeyScopeTransition. */
  readonly formerIds: () => readonly Buffer[];
  readonly fingerprint: Buffer;
  /** Of the key alone, in hex. */
  readonly keyDigest: string;
  /** Names the request in log lines. */
  readonly requestId: string;
  readonly trace?: RequestTrace | undefined;
}

export interface Answer extends StoredResponse {
  readonly isReplay: boolean;
}

/** A stored refusal that is replayed. */
export class ReplayedError extends DomainError {}

const KEY = /^[\x20-\x7e]{1,255}$/;
const MAX_DEPTH = 32;

/**
 * The Idempotency-Key of the request, scoped to the client and the route; a rotated API key belongs to the same client.
 * The customer of a JWT is part of the scope, because customers share their storefront and a replay contains the access
 * token.
 */
export const Idempotent = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotentRequest =>
    identify(context.switchToHttp().getRequest<FastifyRequest>()),
  [describesKey(true)],
);

/** The same on a route that can do without: undefined if no key was sent. */
export const IdempotentIfKeyed = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotentRequest | undefined => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return request.headers['idempotency-key'] === undefined ? undefined : identify(request);
  },
  [describesKey('optional')],
);

/** Reading the key also documents it. */
function describesKey(note: true | 'optional'): ParameterDecorator {
  return (target, method) => {
    const descriptor = method !== undefined && Object.getOwnPropertyDescriptor(target, method);
    if (descriptor) ApiExtension(NOTES.idempotent, note)(target, method, descriptor);
  };
}

function identify(request: FastifyRequest): IdempotentRequest {
  const { caller, params, body, id: requestId, trace } = request;
  if (!caller) throw new Error('Idempotent on an open route');
  const route = `${request.method} ${request.routeOptions.url ?? ''}`;
  return identifyRequest({ caller, route, params, body, requestId, trace }, request.headers['idempotency-key']);
}

/** What a request is, wherever it came from. */
export interface KeyedRequest {
  readonly caller: Pick<Caller, 'client' | 'customerId' | 'formerKeyIds'>;
  readonly route: string;
  readonly params: unknown;
  readonly body: unknown;
  readonly requestId: string;
  readonly trace?: RequestTrace | undefined;
}

export function identifyRequest(request: KeyedRequest, key: unknown): IdempotentRequest {
  if (typeof key !== 'string' || key.length === 0) {
    throw new DomainError(
      'IDEMPOTENCY_KEY_MISSING',
      'Send an Idempotency-Key header, so that a retry cannot act twice',
    );
  }
  if (!KEY.test(key)) throw invalid('Idempotency-Key', 'at most 255 characters of printable ASCII');
  const { route, params, body, requestId, trace } = request;
  const { client, customerId, formerKeyIds } = request.caller;
  const payload = `${JSON.stringify(params)}\n${canonical(body, 0)}`;
  return {
    id: digestOf(['client', client, customerId, route, key]),
    formerIds: () => formerKeyIds.map((keyId) => digestOf([keyId, customerId, route, key])),
    fingerprint: hash('sha256', payload, 'buffer'),
    keyDigest: keyDigestOf(key),
    requestId,
    trace,
  };
}

/** What orders are found by: whoever reads the database does not learn the keys of clients. */
export function keyDigestOf(key: string): string {
  return hash('sha256', key, 'hex').slice(0, 32);
}

function digestOf(name: readonly unknown[]): Buffer {
  return hash('sha256', JSON.stringify(name), 'buffer');
}

/**
 * JSON with sorted members: a client that serialises its retry in another order means the same request. Deep nesting is
 * refused here, before validation, because it would overflow the stack.
 */
function canonical(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : JSON.stringify(value);
  if (depth === MAX_DEPTH) throw invalid('', `nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member, depth + 1)}`).join(',')}}`;
}

function invalid(path: string, message: string): DomainError {
  const where = path ? `${path}: ` : '';
  return new DomainError('VALIDATION_FAILED', `${where}${message}`, { errors: [{ path, message }] });
}

/** Sends an answer; a replay is marked as such. */
export function send(reply: FastifyReply, answer: Answer): unknown {
  void reply.code(answer.status).headers(answer.headers ?? {});
  if (answer.isReplay) void reply.header('idempotent-replayed', 'true');
  return answer.body;
}
