import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, type Caller, CurrentCaller } from '../infrastructure/http/auth/caller.js';
import { Idempotent, type IdempotentRequest, send } from '../infrastructure/idempotency/idempotency.js';
import { parsePrefer } from './checkout.dto.js';
import { OrderCommandService } from './order-command.service.js';
import { OrderQueryService, type TimelineItem } from './order-query.service.js';
import { orderIdSchema, type OrderListQuery, orderListSchema, type OrderView } from './order.dto.js';
import { type RefundBody, refundSchema } from './refund.dto.js';

@ApiTags('orders')
@Controller('v1/orders')
export class OrderController {
  constructor(
    private readonly queries: OrderQueryService,
    private readonly commands: OrderCommandService,
  ) {}

  @Get()
  @Access('admin')
  @ApiOperation({ summary: 'Orders, newest first' })
  list(
    @Query({ schema: orderListSchema }) query: OrderListQuery,
  ): Promise<{ items: OrderView[]; nextCursor: string | null }> {
    return this.queries.list(query);
  }

  @Get(':id')
  @Access('storefront')
  @ApiOperation({ summary: 'An order, for its customer, the holder of its access token, or an admin' })
  get(@Param('id', { schema: orderIdSchema }) id: string, @CurrentCaller() caller: Caller): Promise<OrderView> {
    return this.queries.get(id, caller);
  }

  @Get(':id/timeline')
  @Access('storefront')
  @ApiOperation({ summary: 'What happened to the order, and why' })
  timeline(
    @Param('id', { schema: orderIdSchema }) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<{ items: TimelineItem[] }> {
    return this.queries.history(id, caller);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Access('admin')
  @ApiOperation({ summary: 'Cancel a confirmed order: refund, restock, CANCELLED' })
  async cancel(
    @Param('id', { schema: orderIdSchema }) id: string,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.commands.cancel(id, caller, request, parsePrefer(prefer)));
  }

  @Post(':id/refunds')
  @Access('admin')
  @ApiOperation({ summary: 'Refund a captured payment, in full or in part' })
  async refund(
    @Param('id', { schema: orderIdSchema }) id: string,
    @Body({ schema: refundSchema }) body: RefundBody,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.commands.refund(id, body, caller, request, parsePrefer(prefer)));
  }
}
