import { Module } from '@nestjs/common';
import { BalanceModule } from '../balance/balance.module.js';
import { AccountController } from './account.controller.js';
import { AccountRepository } from './account.repository.js';
import { AccountService } from './account.service.js';
import { CreditAccess } from './credit-access.service.js';
import { CreditRepository } from './credit.repository.js';
import { GiftCardCodes } from './gift-card-codes.js';
import { GiftCardController } from './gift-card.controller.js';
import { GiftCardService } from './gift-card.service.js';

/** Store credit and gift cards. */
@Module({
  imports: [BalanceModule],
  controllers: [AccountController, GiftCardController],
  providers: [AccountRepository, CreditRepository, CreditAccess, AccountService, GiftCardService, GiftCardCodes],
  exports: [AccountRepository, CreditRepository, CreditAccess],
})
export class CreditModule {}
