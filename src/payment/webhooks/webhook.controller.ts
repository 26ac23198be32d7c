import { Controller, Get, HttpCode, Param, Post, Query, type RawBodyRequest, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Access, type Caller, CurrentCaller } from '../../infrastructure/http/auth/caller.js';
import { webhookEventIdSchema, type WebhookEventListQuery, webhookEventListSchema } from './webhook-event.dto.js';
import type { InboxRow } from './webhook-inbox.repository.js';
import { WebhookInboxService } from './webhook-inbox.service.js';

@ApiTags('webhooks')
@Controller('v1')
export class WebhookController {
  constructor(private readonly inbox: WebhookInboxService) {}

  @Post('webhooks/:provider')
  @HttpCode(200)
  @Access('open')
  @ApiOperation({ summary: 'Callbacks of the payment provider, authenticated by their signature' })
  receive(
    @Param('provider') provider: string,
    @Req() request: RawBodyRequest<FastifyRequest>,
  ): Promise<{ received: true }> {
    return this.inbox.receive(provider, request.rawBody, request.headers);
  }

  @Get('webhook-events')
  @Access('admin')
  @ApiOperation({ summary: 'Callbacks that were received, newest first' })
  list(
    @Query({ schema: webhookEventListSchema }) query: WebhookEventListQuery,
  ): Promise<{ items: InboxRow[]; nextCursor: string | null }> {
    return this.inbox.list(query);
  }

  @Post('webhook-events/:id/replay')
  @HttpCode(200)
  @Access('admin')
  @ApiOperation({ summary: 'Process a callback again, a dead one above all' })
  replay(
    @Param('id', { schema: webhookEventIdSchema }) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<InboxRow> {
    return this.inbox.replay(id, caller.keyId);
  }
}
