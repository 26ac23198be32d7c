import { Global, Module } from '@nestjs/common';
import { OutboxPurgeJob } from './outbox-purge.job.js';
import { OutboxRelayJob } from './outbox-relay.job.js';
import { OutboxRepository } from './outbox.repository.js';

@Global()
@Module({
  providers: [OutboxRepository, OutboxRelayJob, OutboxPurgeJob],
  exports: [OutboxRepository, OutboxRelayJob],
})
export class OutboxModule {}
