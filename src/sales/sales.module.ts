import { Module, OnModuleInit } from '@nestjs/common';
import { InventoryModule } from '../inventory/inventory.module.js';
import { HoldPolicies } from '../inventory/reservation/hold-policy.js';
import { AdmissionRepository } from './admission/admission.repository.js';
import { AdmissionService } from './admission/admission.service.js';
import { OpenSales } from './open-sales.js';
import { SaleGate } from './sale-gate.js';
import { SaleController } from './sale.controller.js';
import { SaleRepository } from './sale.repository.js';
import { SaleService } from './sale.service.js';
import { TicketBatch } from './ticket/ticket-batch.js';
import { TicketEventsService } from './ticket/ticket-events.service.js';
import { TicketReader } from './ticket/ticket-reader.js';
import { TicketTokens } from './ticket/ticket-tokens.js';
import { TicketController } from './ticket/ticket.controller.js';
import { TicketRepository } from './ticket/ticket.repository.js';
import { TicketService } from './ticket/ticket.service.js';

/** A queue in front of goods that more people want than there are. */
@Module({
  imports: [InventoryModule],
  controllers: [SaleController, TicketController],
  providers: [
    SaleRepository,
    SaleService,
    AdmissionRepository,
    AdmissionService,
    OpenSales,
    TicketRepository,
    TicketTokens,
    TicketBatch,
    TicketReader,
    TicketService,
    TicketEventsService,
    SaleGate,
  ],
  exports: [OpenSales, SaleService],
})
export class SalesModule implements OnModuleInit {
  constructor(
    private readonly policies: HoldPolicies,
    private readonly gate: SaleGate,
  ) {}

  onModuleInit(): void {
    this.policies.follow(this.gate);
  }
}
