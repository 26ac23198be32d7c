import { Body, Controller, Get, Param, Put, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../platform/http/openapi/decorators.js';
import { send } from '../platform/idempotency/idempotency.js';
import {
  couponCodeSchema,
  type CouponInput,
  type CouponResponse,
  couponResponseSchema,
  couponSchema,
} from './coupon.dto.js';
import { CouponService } from './coupon.service.js';

const Code = () => Param('code', { schema: couponCodeSchema });

@ApiTags('coupons')
@Access('admin')
@Controller('v1/coupons')
export class CouponController {
  constructor(private readonly coupons: CouponService) {}

  @Put(':code')
  @ApiOperation({
    operationId: 'putCoupon',
    summary: 'Create a coupon, or change its rules',
    description:
      'Holds and orders that have it keep their discount: new rules are for those who come later. ' +
      '`maxRedemptions` cannot fall below what is redeemed and held.',
  })
  @ApiAnswer(200, 'Changed', couponResponseSchema)
  @ApiAnswer(201, 'Created', couponResponseSchema, ['Location'])
  @ApiProblems('INVALID_STATE')
  async put(
    @Code() code: string,
    @Body({ schema: couponSchema }) body: CouponInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.coupons.put(code, body));
  }

  @Get(':code')
  @ApiOperation({
    operationId: 'getCoupon',
    summary: 'Read a coupon and how often it was redeemed',
    description: '`redeemed` counts confirmed orders; cancelling one gives its redemption back.',
  })
  @ApiAnswer(200, 'The coupon', couponResponseSchema)
  @ApiProblems('COUPON_NOT_FOUND')
  get(@Code() code: string): Promise<CouponResponse> {
    return this.coupons.get(code);
  }
}
