import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../http/auth/caller.js';
import { HealthService, Readiness } from './health.service.js';

@ApiTags('operations')
@Access('open')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @ApiOkResponse({ description: 'The process runs' })
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiOkResponse({ description: 'Ready, or degraded where a fallback carries on' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.health.readiness();
    if (readiness.status === 'unavailable') void reply.code(503);
    return readiness;
  }
}
