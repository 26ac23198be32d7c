import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../http/auth/caller.js';
import { ApiAnswer } from '../http/openapi/decorators.js';
import { livenessSchema, readinessSchema } from './health.dto.js';
import { HealthService, Readiness } from './health.service.js';

@ApiTags('operations')
@Access('open')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @ApiOperation({
    operationId: 'isLive',
    summary: 'Whether the process runs',
    description: 'For a supervisor: 200 as long as the process answers. It says nothing about the database.',
  })
  @ApiAnswer(200, 'It does', livenessSchema)
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'isReady',
    summary: 'Whether it can serve: the database, its migrations, Redis',
    description:
      'For a load balancer: 503 while the instance should get no traffic, as when its database is away or it is about to stop. Redis away is `degraded` and stays 200.',
  })
  @ApiAnswer(200, 'Ready, or degraded where a fallback carries on', readinessSchema)
  @ApiAnswer(503, 'Not able to serve', readinessSchema)
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.health.readiness();
    if (readiness.status === 'unavailable') void reply.code(503);
    return readiness;
  }
}
