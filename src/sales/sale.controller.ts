import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { operatorOf, type VerbBody, verbSchema } from '../platform/audit-trail/operator.js';
import { Access, type Caller, CurrentCaller } from '../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../platform/http/openapi/decorators.js';
import { send } from '../platform/idempotency/idempotency.js';
import {
  saleIdSchema,
  type SaleInput,
  type SaleListInput,
  saleListSchema,
  salePageSchema,
  type SaleResponse,
  saleResponseSchema,
  saleSchema,
  saleViewSchema,
} from './sale.dto.js';
import { SaleService } from './sale.service.js';

const Id = () => Param('id', { schema: saleIdSchema });

@ApiTags('sales')
@Controller('v1/sales')
export class SaleController {
  constructor(private readonly sales: SaleService) {}

  @Get()
  @Access('admin')
  @ApiOperation({
    operationId: 'listSales',
    summary: 'Sales, by id',
    description: 'For storefronts: what is on sale or will be, without what only operators see.',
  })
  @ApiAnswer(200, 'A page of sales', salePageSchema)
  list(
    @Query({ schema: saleListSchema }) query: SaleListInput,
  ): Promise<{ items: SaleResponse[]; nextCursor: string | null }> {
    return this.sales.list(query);
  }

  @Put(':id')
  @Access('admin')
  @ApiOperation({
    operationId: 'putSale',
    summary: 'Set up a sale, or change its rate, its room or its end',
    description:
      'From now until it ends, its SKUs can only be reserved and bought with a ticket that was called. Before `startsAt` nobody is called. Once it has begun `startsAt` stays, and once tickets were given out so does what is sold.',
  })
  @ApiAnswer(200, 'Changed', saleResponseSchema)
  @ApiAnswer(201, 'Set up', saleResponseSchema, ['Location'])
  @ApiProblems('INVALID_STATE')
  async put(
    @Id() id: string,
    @Body({ schema: saleSchema }) body: SaleInput,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.sales.put(id, body, operatorOf(caller, body)));
  }

  @Get(':id')
  @Access('storefront')
  @ApiOperation({
    operationId: 'getSale',
    summary: 'Read a sale and how many wait; admins also see who changed it',
    description: '`waiting` and the other counts are at most a few seconds old.',
  })
  @ApiAnswer(200, 'The sale', saleViewSchema)
  @ApiProblems('SALE_NOT_FOUND')
  get(@Id() id: string, @CurrentCaller() caller: Caller): Promise<object> {
    return this.sales.get(id, caller);
  }

  @Post(':id/pause')
  @Access('admin')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'pauseSale',
    summary: 'Call nobody for now; who was called may still buy',
    description: 'Those who wait keep their places. Who paused it, and why, stays on record.',
  })
  @ApiAnswer(200, 'Paused', saleResponseSchema)
  @ApiProblems('SALE_NOT_FOUND', 'INVALID_STATE')
  pause(
    @Id() id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<SaleResponse> {
    return this.sales.apply(id, 'pause', operatorOf(caller, body));
  }

  @Post(':id/resume')
  @Access('admin')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'resumeSale',
    summary: 'Go on calling, from where it was paused',
    description: 'The time of the pause does not count: nobody is called in a burst.',
  })
  @ApiAnswer(200, 'Resumed', saleResponseSchema)
  @ApiProblems('SALE_NOT_FOUND', 'INVALID_STATE')
  resume(
    @Id() id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<SaleResponse> {
    return this.sales.apply(id, 'resume', operatorOf(caller, body));
  }

  @Post(':id/end')
  @Access('admin')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'endSale',
    summary: 'End a sale for good: from now on nobody needs a ticket',
    description: 'Those who still wait are told SOLD_OUT. It cannot be undone.',
  })
  @ApiAnswer(200, 'Ended', saleResponseSchema)
  @ApiProblems('SALE_NOT_FOUND', 'INVALID_STATE')
  end(
    @Id() id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<SaleResponse> {
    return this.sales.apply(id, 'end', operatorOf(caller, body));
  }
}
