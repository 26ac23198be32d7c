import { Module } from '@nestjs/common';
import { OrderRepository } from './order.repository.js';
import { TimelineRepository } from './timeline.repository.js';

@Module({ providers: [OrderRepository, TimelineRepository], exports: [OrderRepository, TimelineRepository] })
export class OrderModule {}
