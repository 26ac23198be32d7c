import fastifyStatic from '@fastify/static';
import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageName } from '../platform/config/app-config.js';
import type { PublicUrl } from '../platform/http/public-url.js';
import { isBuilt, PAGES_FOLDER } from './page-files.js';
import { PAGE_HEADERS } from './page-headers.js';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The pages and their assets, straight from Fastify: no guard, no limits, no pipes. An asset has its hash in its name and
 * is kept for ever; every other path below a page is a view of it, and gets its index.
 */
export async function servePages(
  fastify: FastifyInstance,
  pages: readonly PageName[],
  publicUrl: PublicUrl,
): Promise<void> {
  const missing = pages.filter((page) => !isBuilt(page));
  if (missing.length > 0) new Logger('Pages').warn(notBuilt(missing));
  await fastify.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: PAGES_FOLDER,
      serve: false,
      preCompressed: true,
      suppressWarning: true,
    });
    for (const page of pages) {
      if (missing.includes(page)) serveNotice(scope, page);
      else servePage(scope, page, publicUrl);
    }
  });
}

function servePage(scope: FastifyInstance, page: PageName, publicUrl: PublicUrl): void {
  const index = (request: FastifyRequest, reply: FastifyReply) => {
    const elsewhere = atPublicName(request, publicUrl);
    if (elsewhere !== undefined) return reply.redirect(elsewhere);
    void reply.headers(PAGE_HEADERS).header('cache-control', 'no-cache');
    return reply.sendFile(`${page}/index.html`, { cacheControl: false });
  };
  scope.get(`/${page}`, index);
  scope.get(`/${page}/*`, index);
  scope.get<{ Params: { '*': string } }>(`/${page}/assets/*`, ({ params }, reply) =>
    reply.sendFile(`${page}/assets/${params['*']}`, { immutable: true, maxAge: '1y' }),
  );
}

function serveNotice(scope: FastifyInstance, page: PageName): void {
  const notice = (_: FastifyRequest, reply: FastifyReply) =>
    reply
      .code(503)
      .type('text/plain')
      .send(notBuilt([page]));
  scope.get(`/${page}`, notice);
  scope.get(`/${page}/*`, notice);
}

function notBuilt(pages: readonly PageName[]): string {
  return `The ${pages.join(' and the ')} cannot be shown before ${pages.length > 1 ? 'they are' : 'it is'} built: npm run build\n`;
}

/**
 * Where a browser on this machine should go, if it used another of its names than the links in our answers do: to the
 * browser `localhost` and `127.0.0.1` are two sites, and it would not follow an order on the other one.
 */
function atPublicName({ host, hostname, url }: FastifyRequest, publicUrl: PublicUrl): string | undefined {
  const own = new URL(publicUrl.of(url));
  const isAlias = own.host !== host && LOOPBACK.test(own.hostname) && LOOPBACK.test(hostname);
  return isAlias ? own.href : undefined;
}
