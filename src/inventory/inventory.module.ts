import { Module } from '@nestjs/common';
import { BalanceModule } from '../balance/balance.module.js';
import { PromotionModule } from '../promotion/promotion.module.js';
import { DemoCatalogue } from './sku/demo-catalogue.js';
import { BestSeatsService } from './reservation/best-seats.service.js';
import { HoldPolicies } from './reservation/hold-policy.js';
import { ReservationBatch } from './reservation/reservation-batch.js';
import { ReservationIntake } from './reservation/reservation-intake.service.js';
import { QuoteController } from './quote/quote.controller.js';
import { QuoteService } from './quote/quote.service.js';
import { ReservationEditService } from './reservation/reservation-edit.service.js';
import { ReservationAdoptionRepository } from './reservation/reservation-adoption.repository.js';
import { ReservationClaimsRepository } from './reservation/reservation-claims.repository.js';
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
import { StockRepository } from './stock/stock.repository.js';
import { StockService } from './stock/stock.service.js';

@Module({
  imports: [BalanceModule, PromotionModule],
  controllers: [SkuController, QuoteController, ReservationController],
  providers: [
    SkuCache,
    SkuRepository,
    StockRepository,
    ReservationRepository,
    ReservationLifecycleRepository,
    ReservationHandoverRepository,
    ReservationAdoptionRepository,
    ReservationClaimsRepository,
    ReservationLinesRepository,
    ReservationEditService,
    QuoteService,
    Availability,
    SkuService,
    SkuEventsService,
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
    SkuService,
    StockRepository,
    ReservationRepository,
    ReservationLifecycleRepository,
    ReservationExpiryService,
    ReservationHandoverRepository,
    ReservationAdoptionRepository,
    ReservationClaimsRepository,
    QuoteService,
    HoldPolicies,
    DemoCatalogue,
  ],
})
export class InventoryModule {}
