import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../common/domain-error.js';

const FORM = 'application/x-www-form-urlencoded';
/** Pages of our own whose buttons work without a script. Their forms have no fields: the address says everything. */
const FORM_ROUTES: ReadonlySet<string> = new Set([
  '/v1/sandbox/authentications/:id/approve',
  '/v1/sandbox/authentications/:id/decline',
]);

/**
 * Bodies are JSON or refused with 415. Nest would also read forms and Fastify plain text, which browsers send to other
 * origins without asking first. An empty body is no body: clients set the content type also where there is nothing to say.
 */
export function acceptBodies(app: NestFastifyApplication, fastify: FastifyInstance, bodyLimit: number): void {
  fastify.removeContentTypeParser('text/plain');
  const parse = fastify.getDefaultJsonParser('error', 'error');
  app.useBodyParser('application/json', { bodyLimit }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request as never, body.toString(), done);
  });
  fastify.addContentTypeParser(FORM, { parseAs: 'buffer', bodyLimit }, (request, _body, done) => {
    if (FORM_ROUTES.has(request.routeOptions.url ?? '')) done(null, undefined);
    else done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send application/json'));
  });
}
