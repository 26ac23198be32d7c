import type { OpenAPIObject } from '@nestjs/swagger';
import type { ErrorCode } from '../../../common/domain-error.js';
import type { RouteAccess } from '../auth/caller.js';
import { NOTES, type Proof } from './decorators.js';
import { eventSchemas } from './event-schemas.js';
import { IDEMPOTENCY_KEY, RESPONSE_HEADERS, ResponseHeader } from './headers.js';
import { OUTGOING_WEBHOOKS } from './outgoing-webhooks.js';
import { problemComponents, problemResponses } from './problem-responses.js';
import { problemSchemas } from './problem-schema.js';

type Operation = OpenAPIObject['paths'][string]['get'] & Record<string, unknown>;
type RequestBody = Exclude<NonNullable<Operation['requestBody']>, { $ref: string }>;
type Response = { description: string; headers?: Record<string, unknown> };

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** Adds what follows from a route's access, body and key, so that controllers do not repeat it. */
export function finishDocument(document: OpenAPIObject): OpenAPIObject {
  const documented = new Set<ErrorCode>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      if (operation) finishOperation(path, operation).forEach((code) => documented.add(code));
    }
  }
  document.webhooks = OUTGOING_WEBHOOKS as never;
  document.components = {
    ...document.components,
    schemas: sorted({ ...document.components?.schemas, ...problemSchemas(documented), ...eventSchemas() }) as never,
    headers: RESPONSE_HEADERS as never,
    parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
    ...(problemComponents(documented, referredTo(document)) as object),
  };
  return document;
}

/** Returns the codes that the operation may be refused with. */
function finishOperation(path: string, operation: Operation): ErrorCode[] {
  const access = (operation[NOTES.access] as RouteAccess | undefined) ?? 'admin';
  const isKeyOptional = operation[NOTES.idempotent] === 'optional';
  const isIdempotent = operation[NOTES.idempotent] === true || isKeyOptional;
  const isPublic = access === 'open';
  operation.security = securityOf(access, operation[NOTES.proof] as Proof | undefined);
  if (isIdempotent) {
    const key = isKeyOptional
      ? { ...IDEMPOTENCY_KEY, required: false }
      : { $ref: '#/components/parameters/IdempotencyKey' };
    operation.parameters = [key, ...(operation.parameters ?? [])];
  }
  if (operation.requestBody && hasDefault(operation.requestBody)) operation.requestBody.required = false;
  for (const response of Object.values(operation.responses) as Response[]) {
    const headers: ResponseHeader[] = ['X-Request-Id'];
    if (isIdempotent) headers.unshift('Idempotent-Replayed');
    if (!isPublic) headers.push('RateLimit', 'RateLimit-Policy');
    response.headers = { ...response.headers, ...Object.fromEntries(headers.map((name) => [name, refTo(name)])) };
  }
  const own = (operation[NOTES.problems] as ErrorCode[] | undefined) ?? [];
  const implied = path.startsWith('/v1/') ? impliedProblems(operation, access, isIdempotent) : accessProblems(access);
  if (isKeyOptional) implied.splice(implied.indexOf('IDEMPOTENCY_KEY_MISSING'), 1);
  Object.assign(operation.responses, problemResponses([...own, ...implied]));
  for (const note of Object.values(NOTES)) Reflect.deleteProperty(operation, note);
  return [...own, ...implied];
}

/** Names of the shared responses that some operation refers to. */
function referredTo({ paths }: OpenAPIObject): ReadonlySet<string> {
  const references = JSON.stringify(paths).matchAll(/#\/components\/responses\/(\w+)/g);
  return new Set([...references].map(([, name = '']) => name));
}

function securityOf(access: RouteAccess, proof: Proof | undefined): Record<string, string[]>[] {
  if (access === 'open') return [];
  if (access === 'admin') return [{ adminKey: [] }];
  const proven = [{ storefrontKey: [], accessToken: [] }, { storefrontKey: [], customer: [] }, { adminKey: [] }];
  if (proof === 'required') return proven;
  return proof === 'optional' ? [{ storefrontKey: [] }, ...proven] : [{ storefrontKey: [] }, { adminKey: [] }];
}

function accessProblems(access: RouteAccess): ErrorCode[] {
  if (access === 'open') return [];
  return access === 'admin' ? ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'] : ['UNAUTHENTICATED', 'RATE_LIMITED'];
}

function impliedProblems(operation: Operation, access: RouteAccess, isIdempotent: boolean): ErrorCode[] {
  const codes: ErrorCode[] = [...accessProblems(access), 'DEPENDENCY_UNAVAILABLE', 'INTERNAL_ERROR'];
  const isQueried = (operation.parameters ?? []).some((parameter) => 'in' in parameter && parameter.in === 'query');
  if (operation.requestBody || isQueried) codes.push('VALIDATION_FAILED');
  if (operation.requestBody) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (isIdempotent) codes.push('IDEMPOTENCY_KEY_MISSING', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED');
  return codes;
}

/** A body that may be omitted. */
function hasDefault(body: NonNullable<Operation['requestBody']>): body is RequestBody {
  const schema = 'content' in body ? body.content['application/json']?.schema : undefined;
  return schema !== undefined && 'default' in schema;
}

function refTo(header: ResponseHeader): { $ref: string } {
  return { $ref: `#/components/headers/${header}` };
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
