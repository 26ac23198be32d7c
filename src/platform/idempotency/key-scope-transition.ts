import { Injectable, OnModuleInit } from '@nestjs/common';
import { TransactionRunner } from '../postgres/transaction-runner.js';
import type { IdempotentRequest } from './idempotency.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/**
 * The previous release named a request by the secret that it came with, this one by the client (ADR 11). While the
 * table has a key that the previous release claimed, a request is looked up, claimed and answered under every name that
 * either release gives it. So a retry is recognised whichever release took the first request, and of two simultaneous
 * requests the primary key admits one. Afterwards each request has one name and one row.
 */
@Injectable()
export class KeyScopeTransition implements OnModuleInit {
  private isUnderWay = true;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly keys: IdempotencyRepository,
  ) {}

  onModuleInit(): Promise<void> {
    return this.look();
  }

  async look(): Promise<void> {
    this.isUnderWay = await this.keys.hasAnyOfSecrets(this.transactions);
  }

  /** The name of the request, then its names in the previous release. */
  idsOf({ id, formerIds }: IdempotentRequest): readonly [Buffer, ...Buffer[]] {
    return this.isUnderWay ? [id, ...formerIds()] : [id];
  }
}
