import { Body, Controller, Get, Headers, Ip, Param, Post, Put, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, type Caller, CurrentCaller } from '../../platform/http/auth/caller.js';
import { Idempotent, type IdempotentRequest, send } from '../../platform/idempotency/idempotency.js';
import { streamTo } from '../../platform/http/event-stream.js';
import { LongLived } from '../../platform/http/limits/rate-limiter.js';
import {
  ApiAnswer,
  ApiIfMatch,
  ApiIfNoneMatch,
  ApiNotModified,
  ApiProblems,
} from '../../platform/http/openapi/decorators.js';
import { skuIdSchema } from '../../platform/http/fields.js';
import {
  type AdjustmentInput,
  adjustmentSchema,
  movementResponseSchema,
  type SkuEventsInput,
  skuEventsSchema,
  type SkuInput,
  type SkuListInput,
  skuListSchema,
  skuPageSchema,
  skuResponseSchema,
  skuSchema,
} from './sku.dto.js';
import { SkuEventsService } from './sku-events.service.js';
import { SkuService } from './sku.service.js';
import { StockService } from '../stock/stock.service.js';

const Sku = () => Param('sku', { schema: skuIdSchema });
const Reply = () => Res({ passthrough: true });

@ApiTags('skus')
@Controller('v1/skus')
export class SkuController {
  constructor(
    private readonly skus: SkuService,
    private readonly stock: StockService,
    private readonly events: SkuEventsService,
  ) {}

  @Get()
  @Access('storefront')
  @ApiOperation({
    operationId: 'listSkus',
    summary: 'List SKUs, such as the seat map of a group',
    description:
      'A group is at most a second old, carries an `ETag` and may be asked for by any number of readers: send the tag back in `If-None-Match`, or follow the changes at `/v1/skus/events`. What is available is no promise: the reservation decides.',
  })
  @ApiIfNoneMatch()
  @ApiAnswer(200, 'A page of SKUs, by name', skuPageSchema, ['ETag', 'Cache-Control'])
  @ApiNotModified()
  async list(
    @Query({ schema: skuListSchema }) query: SkuListInput,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Headers('accept-encoding') acceptEncoding: string | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.skus.list(query, { ifNoneMatch, acceptEncoding }));
  }

  @Get('events')
  @Access('storefront')
  @LongLived()
  @ApiOperation({
    operationId: 'followSkus',
    summary: 'Follow a group: what changes in its seat map (server-sent events)',
    description:
      'The first message is `skus.state` with all of the group; `skus.changed` follows with the SKUs that changed, and `removed` where some have left the group. A client that sends the id of the last message it saw as `Last-Event-ID` (or the query parameter `lastEventId`) gets only what it missed. Changes are at most a second old. Open streams are limited (429 or 503 with `Retry-After`).',
  })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'The id of the last message the client has seen' })
  @ApiOkResponse({ description: 'The stream', content: { 'text/event-stream': { schema: { type: 'string' } } } })
  async follow(
    @Query({ schema: skuEventsSchema }) { group, lastEventId }: SkuEventsInput,
    @CurrentCaller() caller: Caller,
    @Ip() address: string,
    @Headers('last-event-id') lastSeen: string | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<StreamableFile> {
    return streamTo(reply, await this.events.follow(group, { caller, address }, lastSeen || lastEventId));
  }

  @Get(':sku')
  @Access('storefront')
  @ApiOperation({
    operationId: 'getSku',
    summary: 'Read a SKU; its ETag changes with its catalogue data and its stock',
    description: 'Stock is `onHand`, of which `reserved` is held or being bought; `available` is the rest.',
  })
  @ApiIfNoneMatch()
  @ApiAnswer(200, 'The SKU', skuResponseSchema, ['ETag', 'Cache-Control'])
  @ApiNotModified()
  @ApiProblems('SKU_NOT_FOUND')
  async get(
    @Sku() sku: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.skus.get(sku, ifNoneMatch));
  }

  @Put(':sku')
  @Access('admin')
  @ApiOperation({
    operationId: 'putSku',
    summary: 'Create a SKU with its stock, or change its catalogue data',
    description:
      '`onHand` sets the stock of a new SKU alone; later it changes by adjustments. `If-Match` guards against a change that somebody else made meanwhile.',
  })
  @ApiIfMatch()
  @ApiAnswer(200, 'Changed', skuResponseSchema, ['ETag'])
  @ApiAnswer(201, 'Created', skuResponseSchema, ['ETag', 'Location'])
  @ApiProblems('INVALID_STATE', 'PRECONDITION_FAILED')
  async put(
    @Sku() sku: string,
    @Body({ schema: skuSchema }) body: SkuInput,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentCaller() caller: Caller,
    @Reply() reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.skus.put(sku, body, ifMatch, caller.client));
  }

  @Post(':sku/adjustments')
  @Access('admin')
  @ApiOperation({
    operationId: 'adjustStock',
    summary: 'Change the stock by a delta, never below what is reserved',
    description:
      'Deliveries, losses and counts: each is kept as a movement with its reason. Runs under the lock of the SKU, like every sale.',
  })
  @ApiAnswer(201, 'Adjusted', movementResponseSchema)
  @ApiProblems('SKU_NOT_FOUND', 'STOCK_BELOW_RESERVED', 'LOCK_TIMEOUT')
  async adjust(
    @Idempotent() request: IdempotentRequest,
    @Sku() sku: string,
    @Body({ schema: adjustmentSchema }) body: AdjustmentInput,
    @CurrentCaller() caller: Caller,
    @Reply() reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.stock.adjust(request, sku, body, caller.client));
  }
}
