import { Module } from '@nestjs/common';
import { BalanceModule } from '../balance/balance.module.js';
import { CouponController } from './coupon.controller.js';
import { CouponRepository } from './coupon.repository.js';
import { CouponService } from './coupon.service.js';

/** Coupons: their rules and their discounts. */
@Module({
  imports: [BalanceModule],
  controllers: [CouponController],
  providers: [CouponRepository, CouponService],
  exports: [CouponRepository, CouponService],
})
export class PromotionModule {}
