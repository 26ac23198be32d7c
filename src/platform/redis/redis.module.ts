import { DynamicModule, Inject, Module, OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { connectRedis } from './redis-client.js';

const CONNECTION = Symbol('REDIS_CONNECTION');

/** Provides `Redis` when REDIS_URL is set, and nothing otherwise: consumers inject it as optional. */
@Module({})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(CONNECTION) private readonly redis: Redis | null) {}

  static register(url: string | undefined, commandTimeoutMs: number): DynamicModule {
    const redis = url ? connectRedis(url, commandTimeoutMs) : null;
    const shared = redis ? [{ provide: Redis, useValue: redis }] : [];
    return {
      module: RedisModule,
      global: true,
      providers: [{ provide: CONNECTION, useValue: redis }, ...shared],
      exports: shared,
    };
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
