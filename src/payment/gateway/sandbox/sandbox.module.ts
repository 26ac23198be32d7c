import { DynamicModule, Module } from '@nestjs/common';
import type { AppConfig } from '../../../platform/config/app-config.js';
import { Loops } from '../../../platform/loops/loops.js';
import { PAYMENT_GATEWAY } from '../payment-gateway.js';
import { SandboxAuthenticationsController } from './sandbox-authentications.controller.js';
import { SandboxAuthorizations } from './sandbox-authorizations.js';
import { SandboxCallbacksJob } from './sandbox-callbacks.job.js';
import { SandboxChargesController } from './sandbox-charges.controller.js';
import { SandboxDatabase } from './sandbox-database.js';
import { SandboxFaultsController } from './sandbox-faults.controller.js';
import { SandboxGateway } from './sandbox-gateway.js';
import { SandboxLedger } from './sandbox-ledger.service.js';
import { SandboxSettings } from './sandbox-settings.service.js';

@Module({})
export class SandboxModule {
  static register(config: AppConfig, databaseUrl: string): DynamicModule {
    const { webhookSecret, authenticationMs } = config.payment.sandbox;
    return {
      module: SandboxModule,
      controllers: [
        SandboxChargesController,
        // Nobody may make payments fail in production, not even with SANDBOX_IN_PRODUCTION.
        ...(config.isProduction ? [] : [SandboxFaultsController]),
        SandboxAuthenticationsController,
      ],
      providers: [
        { provide: SandboxDatabase, useFactory: () => new SandboxDatabase(databaseUrl) },
        {
          provide: SandboxSettings,
          inject: [SandboxDatabase],
          useFactory: (db: SandboxDatabase) => new SandboxSettings(db, webhookSecret),
        },
        {
          provide: SandboxCallbacksJob,
          inject: [SandboxDatabase, SandboxSettings, Loops],
          useFactory: (db: SandboxDatabase, settings: SandboxSettings, loops: Loops) =>
            new SandboxCallbacksJob(db, settings, loops),
        },
        {
          provide: SandboxLedger,
          inject: [SandboxDatabase, SandboxCallbacksJob],
          useFactory: (db: SandboxDatabase, callbacks: SandboxCallbacksJob) => new SandboxLedger(db, callbacks),
        },
        {
          provide: SandboxGateway,
          inject: [SandboxDatabase, SandboxLedger, SandboxSettings, SandboxCallbacksJob],
          useFactory: (
            db: SandboxDatabase,
            ledger: SandboxLedger,
            settings: SandboxSettings,
            callbacks: SandboxCallbacksJob,
          ) => {
            const authorizations = new SandboxAuthorizations(db, callbacks);
            return new SandboxGateway(ledger, settings, callbacks, authorizations, authenticationMs);
          },
        },
        { provide: PAYMENT_GATEWAY, useExisting: SandboxGateway },
      ],
      exports: [PAYMENT_GATEWAY, SandboxGateway, SandboxSettings],
    };
  }
}
