import { DynamicModule, Module } from '@nestjs/common';
import { InventoryModule } from '../inventory/inventory.module.js';
import type { AppConfig } from '../platform/config/app-config.js';
import { SalesModule } from '../sales/sales.module.js';
import { DemoDropController } from './demo-drop.controller.js';
import { DemoDropService } from './demo-drop.service.js';
import { RehearsalController } from './rehearsal.controller.js';
import { RehearsalRepository } from './rehearsal.repository.js';
import { FreshCatalogue, HoldSweep, RehearsalService } from './rehearsal.service.js';

/** Routes for tests of a shop, and for our own. Only with the sandbox, and never in production, not even with SANDBOX_IN_PRODUCTION. */
@Module({})
export class RehearsalModule {
  static register(config: AppConfig): DynamicModule {
    if (config.isProduction || config.payment.gateway !== 'sandbox') return { module: RehearsalModule };
    return {
      module: RehearsalModule,
      imports: [InventoryModule, SalesModule],
      controllers: [RehearsalController, DemoDropController],
      providers: [DemoDropService, RehearsalService, RehearsalRepository, FreshCatalogue, HoldSweep],
    };
  }
}
