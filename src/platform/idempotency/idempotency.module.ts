import { Global, Module } from '@nestjs/common';
import { IdempotencyPurgeJob } from './idempotency-purge.job.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';
import { KeyScopeTransition } from './key-scope-transition.js';

@Global()
@Module({
  providers: [IdempotencyRepository, IdempotencyService, IdempotencyPurgeJob, KeyScopeTransition],
  exports: [IdempotencyRepository, IdempotencyService, IdempotencyPurgeJob, KeyScopeTransition],
})
export class IdempotencyModule {}
