import { Injectable } from '@nestjs/common';
import { BalanceLocks } from '../balance/balance-locks.service.js';
import { DomainError } from '../common/domain-error.js';
import { newId } from '../common/id.js';
import { ACCOUNT_LOCK, accountKey } from '../lock/lock-keys.js';
import type { Caller } from '../platform/http/auth/caller.js';
import type { Answer, IdempotentRequest } from '../platform/idempotency/idempotency.js';
import type { StoredResponse } from '../platform/idempotency/idempotency.repository.js';
import { IdempotencyService } from '../platform/idempotency/idempotency.service.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import type { Tx } from '../platform/postgres/tx.js';
import {
  type AccountInput,
  type AccountResponse,
  type EntryInput,
  type EntryListInput,
  type EntryResponse,
  toAccountResponse,
  toEntryResponse,
} from './account.dto.js';
import { AccountNotFoundError } from './account.errors.js';
import { type Account, AccountRepository } from './account.repository.js';
import { CreditAccess } from './credit-access.service.js';

/** Far below the largest integer that a double represents exactly. */
const MAX_BALANCE = 1_000_000_000_000;

@Injectable()
export class AccountService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly locks: BalanceLocks,
    private readonly idempotency: IdempotencyService,
    private readonly accounts: AccountRepository,
    private readonly access: CreditAccess,
  ) {}

  put(id: string, { currency, customerId = null }: AccountInput): Promise<Answer> {
    return this.transactions.run(async (tx) => {
      const account = { id, currency, customerId, codeHash: null };
      const created = await this.accounts.insert(tx, account);
      const headers = { location: `/v1/accounts/${encodeURIComponent(id)}` };
      if (created) return { status: 201, headers, body: toAccountResponse(created), isReplay: false };
      const changed = await this.accounts.update(tx, account);
      if (changed) return { status: 200, body: toAccountResponse(changed), isReplay: false };
      throw new DomainError('INVALID_STATE', 'The account has entries: its currency stays', { accountId: id });
    });
  }

  async get(caller: Caller, id: string): Promise<AccountResponse> {
    return toAccountResponse(await this.find(caller, id));
  }

  async list(
    caller: Caller,
    id: string,
    { limit, cursor }: EntryListInput,
  ): Promise<{ items: EntryResponse[]; nextCursor: string | null }> {
    await this.find(caller, id);
    const found = await this.accounts.entries(this.transactions, id, cursor, limit + 1);
    const items = found.slice(0, limit).map(toEntryResponse);
    return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  /**
   * Under the account's lock, so that the entry queues with the orders that spend the account instead of racing them.
   */
  enter(request: IdempotentRequest, id: string, input: EntryInput, actor: string): Promise<Answer> {
    return this.locks.run([accountKey(id)], ACCOUNT_LOCK, (token) =>
      this.idempotency.once(request, (tx) => this.enterLocked(tx, id, input, actor, token)),
    );
  }

  private async enterLocked(
    tx: Tx,
    accountId: string,
    { amount, reason }: EntryInput,
    actor: string,
    token: bigint,
  ): Promise<StoredResponse> {
    const account = (await this.accounts.rows.lock(tx, [accountId], token)).get(accountId);
    if (!account) throw new AccountNotFoundError();
    assertPossible(account, amount);
    const entry = {
      id: newId(),
      accountId,
      kind: 'ADJUSTMENT',
      amount,
      reason,
      orderId: null,
      refundId: null,
    } as const;
    this.accounts.rows.add(tx, new Map([[accountId, amount]]), token);
    this.accounts.record(tx, [{ ...entry, actor }]);
    const { held } = account;
    const balance = account.balance + amount;
    const shown = toEntryResponse({ ...entry, actor, createdAt: new Date() });
    return { status: 201, body: { ...shown, balance, held, available: balance - held } };
  }

  private async find(caller: Caller, id: string): Promise<Account> {
    const [account] = await this.accounts.find(this.transactions, [id], []);
    if (!account || !this.access.mayUse(caller, account)) throw new AccountNotFoundError();
    return account;
  }
}

function assertPossible({ balance, held }: Account, amount: number): void {
  if (balance + amount < held) {
    const available = balance - held;
    const detail = `${available} is there and not held: ${-amount} cannot be taken away`;
    throw new DomainError('INSUFFICIENT_CREDIT', detail, { required: -amount, available });
  }
  if (balance + amount > MAX_BALANCE) {
    const message = `at most ${MAX_BALANCE - balance}: a balance is at most ${MAX_BALANCE}`;
    throw new DomainError('VALIDATION_FAILED', `amount: ${message}`, { errors: [{ path: 'amount', message }] });
  }
}
