import { Module } from '@nestjs/common';
import { QuoteService } from './quote.service.js';
import { ReservationRepository } from './reservation.repository.js';
import { SkuRepository } from './sku.repository.js';
import { StockRepository } from './stock.repository.js';

@Module({
  providers: [SkuRepository, StockRepository, ReservationRepository, QuoteService],
  exports: [SkuRepository, ReservationRepository, QuoteService],
})
export class InventoryModule {}
