import { Module } from '@nestjs/common';
import { LockModule } from '../lock/lock.module.js';
import { AllowanceRepository } from './allowance.repository.js';
import { BalanceLocks } from './balance-locks.service.js';

/** Stock, credit, coupons and limits are all balances: parts of them are held, taken and given back. */
@Module({
  imports: [LockModule],
  providers: [AllowanceRepository, BalanceLocks],
  exports: [AllowanceRepository, BalanceLocks],
})
export class BalanceModule {}
