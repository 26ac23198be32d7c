import { Body, Controller, Get, Headers, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, type Caller, CurrentCaller } from '../../platform/http/auth/caller.js';
import { Idempotent, type IdempotentRequest, send } from '../../platform/idempotency/idempotency.js';
import { ApiAnswer, ApiIfMatch, ApiProblems } from '../../platform/http/openapi/decorators.js';
import { skuIdSchema } from '../line.dto.js';
import {
  type AdjustmentInput,
  adjustmentSchema,
  movementResponseSchema,
  type SkuInput,
  type SkuListInput,
  skuListSchema,
  type SkuPage,
  skuPageSchema,
  skuResponseSchema,
  skuSchema,
} from './sku.dto.js';
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
  ) {}

  @Get()
  @Access('storefront')
  @ApiOperation({
    operationId: 'listSkus',
    summary: 'List SKUs, such as the seat map of a group',
    description:
      'A seat is a SKU with one unit in a group: `group` lists a seat map, `available=true` only what can still be bought.',
  })
  @ApiAnswer(200, 'A page of SKUs, by name', skuPageSchema)
  list(@Query({ schema: skuListSchema }) query: SkuListInput): Promise<SkuPage> {
    return this.skus.list(query);
  }

  @Get(':sku')
  @Access('storefront')
  @ApiOperation({
    operationId: 'getSku',
    summary: 'Read a SKU; its ETag names the version of its catalogue data',
    description: 'Stock is `onHand`, of which `reserved` is held or being bought; `available` is the rest.',
  })
  @ApiAnswer(200, 'The SKU', skuResponseSchema, ['ETag'])
  @ApiProblems('SKU_NOT_FOUND')
  async get(@Sku() sku: string, @Reply() reply: FastifyReply): Promise<unknown> {
    return send(reply, await this.skus.get(sku));
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
