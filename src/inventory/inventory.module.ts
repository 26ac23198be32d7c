import { Module } from '@nestjs/common';
import { LockModule } from '../lock/lock.module.js';
import { DemoCatalogue } from './sku/demo-catalogue.js';
import { BestSeatsService } from './reservation/best-seats.service.js';
import { HoldPolicies } from './reservation/hold-policy.js';
import { ReservationBatch } from './reservation/reservation-batch.js';
import { ReservationIntake } from './reservation/reservation-intake.service.js';
import { QuoteController } from './quote/quote.controller.js';
import { QuoteService } from './quote/quote.service.js';
import { ReservationEditService } from './reservation/reservation-edit.service.js';
import { ReservationHandoverRepository } from './reservation/reservation-handover.repository.js';
import { ReservationLinesRepository } from './reservation/reservation-lines.repository.js';
import { ReservationExpiryJob } from './reservation/reservation-expiry.job.js';
import { ReservationExpiryService } from './reservation/reservation-expiry.service.js';
import { ReservationLifecycleRepository } from './reservation/reservation-lifecycle.repository.js';
import { ReservationController } from './reservation/reservation.controller.js';
import { ReservationRepository } from './reservation/reservation.repository.js';
import { ReservationService } from './reservation/reservation.service.js';
import { SkuController } from './sku/sku.controller.js';
import { SkuCache } from './sku/sku-cache.js';
import { SkuRepository } from './sku/sku.repository.js';
import { Availability } from './sku/availability.service.js';
import { SkuEventsService } from './sku/sku-events.service.js';
import { SkuService } from './sku/sku.service.js';
import { StockLockService } from './stock/stock-lock.service.js';
import { StockRepository } from './stock/stock.repository.js';
import { StockService } from './stock/stock.service.js';

@Module({
  imports: [LockModule],
  controllers: [SkuController, QuoteController, ReservationController],
  providers: [
    SkuCache,
    SkuRepository,
    StockRepository,
    ReservationRepository,
    ReservationLifecycleRepository,
    ReservationHandoverRepository,
    ReservationLinesRepository,
    ReservationEditService,
    QuoteService,
    Availability,
    SkuService,
    SkuEventsService,
    StockLockService,
    StockService,
    HoldPolicies,
    BestSeatsService,
    ReservationBatch,
    ReservationIntake,
    ReservationService,
    ReservationExpiryService,
    ReservationExpiryJob,
    DemoCatalogue,
  ],
  exports: [
    Availability,
    SkuCache,
    SkuRepository,
    StockRepository,
    ReservationRepository,
    ReservationLifecycleRepository,
    ReservationExpiryService,
    ReservationHandoverRepository,
    QuoteService,
    HoldPolicies,
    DemoCatalogue,
  ],
})
export class InventoryModule {}
