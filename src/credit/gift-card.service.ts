import { Injectable } from '@nestjs/common';
import { newId } from '../common/id.js';
import type { Answer, IdempotentRequest } from '../platform/idempotency/idempotency.js';
import type { StoredResponse } from '../platform/idempotency/idempotency.repository.js';
import { IdempotencyService } from '../platform/idempotency/idempotency.service.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import type { Tx } from '../platform/postgres/tx.js';
import type { GiftCardInput } from './account.dto.js';
import { AccountRepository } from './account.repository.js';
import { GiftCardCodes } from './gift-card-codes.js';

@Injectable()
export class GiftCardService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly idempotency: IdempotencyService,
    private readonly accounts: AccountRepository,
    private readonly codes: GiftCardCodes,
  ) {}

  /** The stored response has no code. It is added to the answer and to every replay of it. */
  async issue(request: IdempotentRequest | undefined, input: GiftCardInput, actor: string): Promise<Answer> {
    const work = (tx: Tx) => this.create(tx, input, actor);
    const answer = request
      ? await this.idempotency.once(request, work)
      : { ...(await this.transactions.run(work)), isReplay: false };
    const { accountId } = answer.body as { accountId: string };
    return { ...answer, body: { accountId, code: this.codes.issue(accountId).code } };
  }

  private async create(tx: Tx, { amount, currency }: GiftCardInput, actor: string): Promise<StoredResponse> {
    const accountId = newId();
    const { hash: codeHash } = this.codes.issue(accountId);
    await this.accounts.insert(tx, { id: accountId, currency, customerId: null, codeHash });
    this.accounts.rows.add(tx, new Map([[accountId, amount]]));
    this.accounts.record(tx, [
      {
        ...{ id: newId(), accountId, kind: 'ADJUSTMENT', amount, reason: 'the gift card was issued', actor },
        ...{ orderId: null, refundId: null },
      },
    ]);
    return { status: 201, headers: { location: `/v1/accounts/${accountId}` }, body: { accountId } };
  }
}
