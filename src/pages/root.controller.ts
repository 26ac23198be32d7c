import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import { Access } from '../platform/http/auth/caller.js';
import { ApiAnswer } from '../platform/http/openapi/decorators.js';
import { type ServiceDescription, serviceSchema, toServiceDescription } from './root.dto.js';

@ApiTags('operations')
@Access('open')
@Controller()
export class RootController {
  constructor(@Inject(APP_CONFIG) private readonly config: AppConfig) {}

  @Get()
  @ApiOperation({
    operationId: 'describeService',
    summary: 'What this is, and where its parts are',
    description: 'A browser is led to the shop, to the console, or to the description of the API, whichever is served.',
  })
  @ApiAnswer(200, 'The service', serviceSchema)
  @ApiResponse({ status: 302, description: 'For a browser (`Accept: text/html`): to a page' })
  describe(
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): ServiceDescription | undefined {
    void reply.header('vary', 'accept');
    const { pages } = this.config;
    if (!accept?.includes('text/html')) return toServiceDescription(pages);
    void reply.code(302).header('location', `/${pages[0] ?? 'docs'}`);
    return undefined;
  }
}
