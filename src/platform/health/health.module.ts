import { Global, Module } from '@nestjs/common';
import { Draining } from '../shutdown/draining.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Global()
@Module({
  controllers: [HealthController],
  providers: [Draining, HealthService],
  exports: [Draining, HealthService],
})
export class HealthModule {}
