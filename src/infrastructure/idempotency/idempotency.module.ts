import { Global, Module } from '@nestjs/common';
import { IdempotencyPurgeJob } from './idempotency-purge.job.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';

@Global()
@Module({
  providers: [IdempotencyRepository, IdempotencyService, IdempotencyPurgeJob],
  exports: [IdempotencyRepository, IdempotencyService],
})
export class IdempotencyModule {}
