import { Module } from '@nestjs/common';
import { LockModule } from '../lock/lock.module.js';
import { DemoCatalogue } from './demo-catalogue.js';
import { HoldBatch } from './hold-batch.js';
import { HoldService } from './hold.service.js';
import { QuoteController } from './quote.controller.js';
import { QuoteService } from './quote.service.js';
import { ReservationExpiryJob } from './reservation-expiry.job.js';
import { ReservationExpiryService } from './reservation-expiry.service.js';
import { ReservationLifecycleRepository } from './reservation-lifecycle.repository.js';
import { ReservationController } from './reservation.controller.js';
import { ReservationRepository } from './reservation.repository.js';
import { ReservationService } from './reservation.service.js';
import { SkuController } from './sku.controller.js';
import { SkuHints } from './sku-hints.js';
import { SkuRepository } from './sku.repository.js';
import { SkuService } from './sku.service.js';
import { StockLockService } from './stock-lock.service.js';
import { StockRepository } from './stock.repository.js';
import { StockService } from './stock.service.js';

@Module({
  imports: [LockModule],
  controllers: [SkuController, QuoteController, ReservationController],
  providers: [
    SkuHints,
    SkuRepository,
    StockRepository,
    ReservationRepository,
    ReservationLifecycleRepository,
    QuoteService,
    SkuService,
    StockLockService,
    StockService,
    HoldBatch,
    HoldService,
    ReservationService,
    ReservationExpiryService,
    ReservationExpiryJob,
    DemoCatalogue,
  ],
  exports: [
    SkuHints,
    SkuRepository,
    StockRepository,
    ReservationRepository,
    ReservationLifecycleRepository,
    QuoteService,
    DemoCatalogue,
  ],
})
export class InventoryModule {}
