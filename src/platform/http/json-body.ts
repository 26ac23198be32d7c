import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Bodies are JSON, or refused with 415. Nest would also read forms and Fastify plain text, which browsers send across
 * origins without a preflight. An empty body counts as none, because clients set the content type even without a body.
 */
export function acceptJsonOnly(app: NestFastifyApplication, fastify: FastifyInstance, bodyLimit: number): void {
  fastify.removeContentTypeParser('text/plain');
  const parse = fastify.getDefaultJsonParser('error', 'error');
  app.useBodyParser('application/json', { bodyLimit }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request as never, body.toString(), done);
  });
}
