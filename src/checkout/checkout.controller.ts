import { Body, Controller, Headers, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, type Caller, CurrentCaller } from '../infrastructure/http/auth/caller.js';
import { Idempotent, type IdempotentRequest, send } from '../infrastructure/idempotency/idempotency.js';
import { type CheckoutBody, checkoutSchema, parsePrefer } from './checkout.dto.js';
import { CheckoutService } from './checkout.service.js';

@ApiTags('checkouts')
@Controller('v1/checkouts')
export class CheckoutController {
  constructor(private readonly checkouts: CheckoutService) {}

  @Post()
  @Access('storefront')
  @ApiOperation({ summary: 'Check out: reserve, charge and confirm, all or nothing' })
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
