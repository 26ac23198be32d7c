import { Module } from '@nestjs/common';
import { LockModule } from '../lock/lock.module.js';
import { AuthorizationRepository } from './authorization.repository.js';
import { AuthorizationService } from './authorization.service.js';
import { CallbackInboxRepository } from './callbacks/callback-inbox.repository.js';
import { CallbackInboxService } from './callbacks/callback-inbox.service.js';
import { CallbackMetrics } from './callbacks/callback-metrics.js';
import { CallbackWorkerJob } from './callbacks/callback-worker.job.js';
import { ProviderCallbackController } from './callbacks/provider-callback.controller.js';
import { PaymentRepository } from './payment.repository.js';
import { RefundRepository } from './refund.repository.js';
import { RefundService } from './refund.service.js';
import { StrayChargeRepository } from './stray-charge.repository.js';

@Module({
  imports: [LockModule],
  controllers: [ProviderCallbackController],
  providers: [
    PaymentRepository,
    AuthorizationRepository,
    AuthorizationService,
    RefundRepository,
    RefundService,
    StrayChargeRepository,
    CallbackInboxRepository,
    CallbackInboxService,
    CallbackMetrics,
    CallbackWorkerJob,
  ],
  exports: [
    PaymentRepository,
    AuthorizationRepository,
    AuthorizationService,
    RefundRepository,
    RefundService,
    StrayChargeRepository,
    CallbackWorkerJob,
    CallbackInboxRepository,
    CallbackInboxService,
  ],
})
export class PaymentModule {}
