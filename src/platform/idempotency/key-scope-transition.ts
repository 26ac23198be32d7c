import { Injectable, OnModuleInit } from '@nestjs/common';
import { TransactionRunner } from '../postgres/transaction-runner.js';
import type { IdempotentRequest } from './idempotency.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/**
 * The release before named a request by the secret that it came with, this one by the client (ADR 11). As long as the
 * table has a key that the release before has claimed, a request is looked up, claimed and answered under every name that
 * either release gives it: a retry is recognised whichever of them took the first request, and of two requests at the
 * same moment the primary key lets one through. After that each request has one name and one row.
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

  /** The name of the request, then those under which the release before knows it. */
  idsOf({ id, formerIds }: IdempotentRequest): readonly [Buffer, ...Buffer[]] {
    return this.isUnderWay ? [id, ...formerIds()] : [id];
  }
}
