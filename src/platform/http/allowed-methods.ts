import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../common/domain-error.js';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/**
 * A known path with another method is answered 405 with `Allow`, and OPTIONS lists the methods. Fastify's router
 * answers 404 to both. Only requests that match no route pay for the search. Call this before routes are added, because
 * it collects them as they are.
 */
export function tellAllowedMethods(fastify: FastifyInstance): void {
  const paths = new Map<string, KnownPath>();
  fastify.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const name of [method].flat()) known.methods.add(name);
    paths.set(url, known);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = request.url.split('?')[0] ?? '';
    const found = [...paths.values()].filter(({ pattern }) => pattern.test(path));
    if (found.length === 0) return done();
    const methods = [...new Set([...found.flatMap((known) => [...known.methods]), 'OPTIONS'])];
    void reply.header('allow', methods.join(', '));
    if (request.method === 'OPTIONS') void reply.code(204).send();
    else done(new DomainError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here: ${methods.join(', ')}`));
  });
}

function patternOf(url: string): RegExp {
  const segments = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[^\w-]/g, '\\$&')));
  return new RegExp(`^${segments.join('/')}/?$`);
}
