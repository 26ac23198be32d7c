import { Body, Controller, Headers, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, type Caller, CurrentCaller } from '../platform/http/auth/caller.js';
import { ApiAnswer, ApiPrefer, ApiProblems, ApiProof, ApiSaleTicket } from '../platform/http/openapi/decorators.js';
import { Idempotent, type IdempotentRequest, send } from '../platform/idempotency/idempotency.js';
import { parsePrefer } from '../platform/http/prefer.js';
import { type CheckoutBody, checkoutSchema } from './checkout.dto.js';
import { createdOrderSchema } from '../orders/order-response.dto.js';
import { CheckoutService } from './checkout.service.js';

@ApiTags('checkouts')
@Controller('v1/checkouts')
export class CheckoutController {
  constructor(private readonly checkouts: CheckoutService) {}

  @Post()
  @Access('storefront')
  @ApiOperation({
    operationId: 'checkOut',
    summary: 'Check out: reserve, charge and confirm, all or nothing',
    description:
      'Refused by stock or by the card, it leaves a REJECTED order, which the problem names. ' +
      'With a `reservationId` it buys what is held; the access token of the reservation goes into `X-Access-Token`. ' +
      'A payment that fails leaves such a hold as it was: the problem names it, and a new checkout with another card buys it.',
  })
  @ApiProof('optional')
  @ApiPrefer()
  @ApiSaleTicket()
  @ApiAnswer(201, 'Confirmed and paid', createdOrderSchema, ['Location'])
  @ApiAnswer(202, 'Not finished in time, or waiting for the customer: follow Location', createdOrderSchema, [
    'Location',
    'Retry-After',
  ])
  @ApiProblems(
    'PAYMENT_DECLINED',
    'ADMISSION_REQUIRED',
    'SKU_NOT_FOUND',
    'COUPON_NOT_FOUND',
    'ACCOUNT_NOT_FOUND',
    'RESERVATION_NOT_FOUND',
    'OUT_OF_STOCK',
    'COUPON_EXHAUSTED',
    'COUPON_NOT_APPLICABLE',
    'LIMIT_EXCEEDED',
    'INSUFFICIENT_CREDIT',
    'PRICE_CHANGED',
    'INVALID_STATE',
    'CANCELLED',
    'RESERVATION_EXPIRED',
    'LOCK_TIMEOUT',
  )
  async checkOut(
    @Body({ schema: checkoutSchema }) body: CheckoutBody,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.checkouts.checkOut(body, caller, request, parsePrefer(prefer)));
  }
}
