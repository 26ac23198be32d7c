import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { DomainError } from '../../common/domain-error.js';
import { NOTES } from '../http/openapi/decorators.js';
import type { StoredResponse } from './idempotency.repository.js';

/** A request that may arrive more than once, as its key and payload identify it. */
export interface IdempotentRequest {
  readonly id: Buffer;
  readonly fingerprint: Buffer;
}

export interface Answer extends StoredResponse {
  readonly isReplay: boolean;
}

/** A stored refusal that is told again. */
export class ReplayedError extends DomainError {}

/** The Idempotency-Key of the request, scoped to the caller and the route. */
export const Idempotent = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotentRequest =>
    identify(context.switchToHttp().getRequest<FastifyRequest>()),
  [describeKey],
);

/** Whoever reads the key also documents it. */
function describeKey(target: object, method: string | symbol | undefined): void {
  const descriptor = method !== undefined && Object.getOwnPropertyDescriptor(target, method);
  if (descriptor) ApiExtension(NOTES.idempotent, true)(target, method, descriptor);
}

function identify(request: FastifyRequest): IdempotentRequest {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key.length === 0) {
    throw new DomainError(
      'IDEMPOTENCY_KEY_MISSING',
      'Send an Idempotency-Key header, so that a retry cannot act twice',
    );
  }
  if (key.length > 255)
    throw new DomainError('VALIDATION_FAILED', 'Idempotency-Key: at most 255 characters', {
      errors: [{ path: 'Idempotency-Key', message: 'at most 255 characters' }],
    });
  const route = `${request.method} ${request.routeOptions.url ?? ''}`;
  const id = createHash('sha256')
    .update(`${request.caller?.keyId ?? ''}\n${route}\n${key}`)
    .digest();
  const payload = `${JSON.stringify(request.params)}\n${canonical(request.body)}`;
  return { id, fingerprint: createHash('sha256').update(payload).digest() };
}

/** JSON with sorted members: a client that serialises its retry in another order means the same request. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

/** Puts an answer on the wire; a replay says so. */
export function send(reply: FastifyReply, answer: Answer): unknown {
  void reply.code(answer.status).headers(answer.headers ?? {});
  if (answer.isReplay) void reply.header('idempotent-replayed', 'true');
  return answer.body;
}
