import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type VerbBody, verbSchema } from '../platform/audit-trail/operator.js';
import { Access, type Caller, CurrentCaller } from '../platform/http/auth/caller.js';
import { Idempotent, type IdempotentRequest, send } from '../platform/idempotency/idempotency.js';
import { ApiAnswer, ApiPrefer, ApiProblems, ApiProof } from '../platform/http/openapi/decorators.js';
import { parsePrefer } from '../platform/http/prefer.js';
import { OrderCommandService } from './order-command.service.js';
import { OrderQueryService, type TimelineItem } from './order-query.service.js';
import { type OrderPage, OrderSearchService } from './order-search.service.js';
import { orderIdSchema, type OrderListQuery, orderListSchema, type OrderView } from './order.dto.js';
import { orderPageSchema, orderSchema, refundResponseSchema, timelineSchema } from './order-response.dto.js';
import { type CaptureBody, captureSchema } from './capture/capture.dto.js';
import { type RefundBody, refundSchema } from './refund/refund.dto.js';

@ApiTags('orders')
@Controller('v1/orders')
export class OrderController {
  constructor(
    private readonly queries: OrderQueryService,
    private readonly search: OrderSearchService,
    private readonly commands: OrderCommandService,
  ) {}

  @Get()
  @Access('storefront')
  @ApiOperation({
    operationId: 'listOrders',
    summary: 'Orders, newest first: a customer’s own, or for an admin those of all',
    description:
      'With a customer’s JWT it lists the orders of that customer. Without one it needs an admin key. ' +
      '`email`, `idempotencyKey` and `transactionId` are for admin keys. ' +
      'A page may be short, even empty, and still have a `nextCursor`: what is rare is looked for a part at a time.',
  })
  @ApiAnswer(200, 'A page of orders', orderPageSchema)
  @ApiProblems('FORBIDDEN', 'DEPENDENCY_UNAVAILABLE')
  list(@Query({ schema: orderListSchema }) query: OrderListQuery, @CurrentCaller() caller: Caller): Promise<OrderPage> {
    return this.search.list(query, caller);
  }

  @Get(':id')
  @Access('storefront')
  @ApiOperation({
    operationId: 'getOrder',
    summary: 'An order, for its customer, the holder of its access token, or an admin',
    description:
      'A stranger’s order is 404, as if it did not exist. The order shows its payment, its reservation, what the customer has to do next, and why it was rejected.',
  })
  @ApiProof()
  @ApiAnswer(200, 'The order', orderSchema)
  @ApiProblems('ORDER_NOT_FOUND')
  get(@Param('id', { schema: orderIdSchema }) id: string, @CurrentCaller() caller: Caller): Promise<OrderView> {
    return this.queries.get(id, caller);
  }

  @Get(':id/timeline')
  @Access('storefront')
  @ApiOperation({
    operationId: 'getOrderTimeline',
    summary: 'What happened to the order, and why',
    description:
      'One list of steps, locks, holds, calls to the payment provider and its callbacks, in the order they happened.',
  })
  @ApiProof()
  @ApiAnswer(200, 'The timeline', timelineSchema)
  @ApiProblems('ORDER_NOT_FOUND')
  timeline(
    @Param('id', { schema: orderIdSchema }) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<{ items: TimelineItem[] }> {
    return this.queries.history(id, caller);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Access('storefront')
  @ApiOperation({
    operationId: 'cancelOrder',
    summary: 'Cancel an order: pay back, free the stock',
    description:
      'An order that waits for its customer (PENDING, with a `nextAction`) ends REJECTED with the code CANCELLED: its ' +
      'authorisation is voided, or its charge paid back, and its stock is free, or its hold the customer’s again. ' +
      'A CONFIRMED order ends CANCELLED and restocked, its payment refunded, or voided if it was only authorised; its customer may do that for as long as the shop allows ' +
      '(`CUSTOMER_CANCEL_SECONDS`), an admin at any time. The `reason` of an admin is kept in the audit trail.',
  })
  @ApiProof()
  @ApiPrefer()
  @ApiAnswer(200, 'Cancelled and paid back', orderSchema)
  @ApiAnswer(202, 'Not finished in time: follow Location', orderSchema, ['Location', 'Retry-After'])
  @ApiProblems('ORDER_NOT_FOUND', 'INVALID_STATE', 'LOCK_TIMEOUT')
  async cancel(
    @Param('id', { schema: orderIdSchema }) id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.commands.cancel(id, caller, request, parsePrefer(prefer), body));
  }

  @Post(':id/capture')
  @HttpCode(200)
  @Access('admin')
  @ApiOperation({
    operationId: 'captureOrder',
    summary: 'Take what was authorised, in full or in part, once',
    description:
      'For an order whose checkout had `payment.capture: "manual"` and whose payment is AUTHORIZED. With `amount` only so much ' +
      'is taken, and the rest is released at the provider: there is no second capture. Any other payment is refused with ' +
      'INVALID_STATE and its `state`; a card that pays nothing has nothing to capture. The `reason` is kept in the audit trail.',
  })
  @ApiPrefer()
  @ApiAnswer(200, 'Captured: the order as it is now', orderSchema)
  @ApiAnswer(202, 'Not finished in time: follow Location', orderSchema, ['Location', 'Retry-After'])
  @ApiProblems('ORDER_NOT_FOUND', 'INVALID_STATE', 'CAPTURE_EXCEEDS_AUTHORIZED', 'LOCK_TIMEOUT')
  async capture(
    @Param('id', { schema: orderIdSchema }) id: string,
    @Body({ schema: captureSchema }) body: CaptureBody,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.commands.capture(id, body, caller, request, parsePrefer(prefer)));
  }

  @Post(':id/refunds')
  @Access('admin')
  @ApiOperation({
    operationId: 'refundOrder',
    summary: 'Refund a captured payment, in full or in part',
    description:
      'Without `amount` everything that is left is refunded: card first, then credit. All refunds together never exceed what ' +
      'was captured and what credit paid. With `to: "credit"` it goes to the customer’s account, at once.',
  })
  @ApiPrefer()
  @ApiAnswer(201, 'Refunded', refundResponseSchema)
  @ApiAnswer(202, 'Not finished in time: follow Location', refundResponseSchema, ['Location', 'Retry-After'])
  @ApiProblems('ORDER_NOT_FOUND', 'ACCOUNT_NOT_FOUND', 'INVALID_STATE', 'REFUND_EXCEEDS_CAPTURED', 'LOCK_TIMEOUT')
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
