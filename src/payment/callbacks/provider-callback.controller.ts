import { Body, Controller, Get, HttpCode, Param, Post, Query, type RawBodyRequest, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { operatorOf, type VerbBody, verbSchema } from '../../platform/audit-trail/operator.js';
import { Access, type Caller, CurrentCaller } from '../../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../../platform/http/openapi/decorators.js';
import {
  webhookEventIdSchema,
  type CallbackEventListQuery,
  webhookEventListSchema,
  webhookEventPageSchema,
  webhookEventSchema,
  webhookReceiptSchema,
} from './callback-event.dto.js';
import type { InboxRow } from './callback-inbox.repository.js';
import { CallbackInboxService } from './callback-inbox.service.js';

@ApiTags('webhooks')
@Controller('v1')
export class ProviderCallbackController {
  constructor(private readonly inbox: CallbackInboxService) {}

  @Post('webhooks/:provider')
  @HttpCode(200)
  @Access('open')
  @ApiOperation({
    operationId: 'receiveWebhook',
    summary: 'Callbacks of the payment provider, authenticated by their signature',
    description:
      'Stored under the provider’s event id and answered at once; processed later. A duplicate is a 200 too.',
  })
  @ApiBody({ description: 'As the provider sends it', schema: { type: 'object', additionalProperties: true } })
  @ApiAnswer(200, 'Stored, or known already', webhookReceiptSchema)
  @ApiProblems('INVALID_SIGNATURE', 'NOT_FOUND')
  receive(
    @Param('provider') provider: string,
    @Req() request: RawBodyRequest<FastifyRequest>,
  ): Promise<{ received: true }> {
    return this.inbox.receive(provider, request.rawBody, request.headers, request.trace);
  }

  @Get('webhook-events')
  @Access('admin')
  @ApiOperation({
    operationId: 'listWebhookEvents',
    summary: 'Callbacks that were received, newest first',
    description: 'Filter by `state`: `DEAD` lists those that could not be processed in all their attempts.',
  })
  @ApiAnswer(200, 'A page of events', webhookEventPageSchema)
  list(
    @Query({ schema: webhookEventListSchema }) query: CallbackEventListQuery,
  ): Promise<{ items: InboxRow[]; nextCursor: string | null }> {
    return this.inbox.list(query);
  }

  @Post('webhook-events/:id/replay')
  @HttpCode(200)
  @Access('admin')
  @ApiOperation({
    operationId: 'replayWebhookEvent',
    summary: 'Process a callback again, a dead one above all',
    description: 'Processing is idempotent: a callback that took effect before changes nothing.',
  })
  @ApiAnswer(200, 'The event, to be processed again', webhookEventSchema)
  @ApiProblems('WEBHOOK_EVENT_NOT_FOUND')
  replay(
    @Param('id', { schema: webhookEventIdSchema }) id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<InboxRow> {
    return this.inbox.replay(id, operatorOf(caller, body));
  }
}
