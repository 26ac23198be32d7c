import { Controller, Get, Headers, Ip, Param, Res, StreamableFile } from '@nestjs/common';
import { ApiHeader, ApiQuery, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, type Caller, CurrentCaller, TakesEventsToken } from '../platform/http/auth/caller.js';
import { streamTo } from '../platform/http/event-stream.js';
import { ApiProblems, ApiProof } from '../platform/http/openapi/decorators.js';
import { LongLived } from '../platform/http/limits/rate-limiter.js';
import { streamOf } from '../platform/http/openapi/event-schemas.js';
import { OrderEventsService } from './order-events.service.js';
import { orderIdSchema } from './order.dto.js';

@ApiTags('orders')
@Controller('v1/orders')
export class OrderEventsController {
  constructor(private readonly events: OrderEventsService) {}

  @Get(':id/events')
  @Access('storefront')
  @TakesEventsToken()
  @LongLived()
  @ApiOperation({
    operationId: 'followOrder',
    summary: 'Follow an order: its state now, then its events as they happen (server-sent events)',
    description:
      'The first message is `order.state`. Domain events follow with their `id`, which a reconnecting client sends back as `Last-Event-ID` to get what it missed. The stream ends after REJECTED or CANCELLED, or when nothing happened for some minutes. Open streams are limited per order and per caller (429 with `Retry-After`).',
  })
  @ApiProof()
  @ApiQuery({
    name: 'token',
    required: false,
    description: 'In place of a key and a proof: as in the order’s `eventsUrl`, valid for an hour',
    schema: { type: 'string' },
  })
  @ApiProblems('ORDER_NOT_FOUND')
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'The id of the last event the client has seen' })
  @ApiOkResponse({ description: 'The stream', content: streamOf('OrderStreamMessage') })
  @ApiNoContentResponse({ description: 'The order has ended and the client has seen its last event' })
  async follow(
    @Param('id', { schema: orderIdSchema }) id: string,
    @CurrentCaller() caller: Caller,
    @Ip() address: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    // An empty one is the same as none, says the standard.
    const body = await this.events.follow(id, { caller, address, lastEventId: lastEventId || undefined });
    // 204 makes an EventSource stay away.
    return body ? streamTo(reply, body) : void reply.code(204);
  }
}
