import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Bodies are JSON or refused with 415. Nest would also read forms and Fastify plain text, which browsers send to other
 * origins without asking first. An empty body is no body: clients set the content type also where there is nothing to say.
 */
export function acceptJsonOnly(app: NestFastifyApplication, fastify: FastifyInstance, bodyLimit: number): void {
  fastify.removeContentTypeParser('text/plain');
  const parse = fastify.getDefaultJsonParser('error', 'error');
  app.useBodyParser('application/json', { bodyLimit }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request as never, body.toString(), done);
  });
}
