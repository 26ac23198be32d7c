import { Injectable, Optional } from '@nestjs/common';
import { Redis } from 'ioredis';
import { DomainError } from '../common/domain-error.js';
import type { CreditShare } from '../common/totals.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { RateLimiter } from '../platform/http/limits/rate-limiter.js';
import { WindowCounters } from '../platform/http/limits/window-counters.js';
import type { Queryable } from '../platform/postgres/tx.js';
import { AccountNotFoundError } from './account.errors.js';
import { type Account, AccountRepository } from './account.repository.js';
import { GiftCardCodes } from './gift-card-codes.js';

/** How a customer names credit: an account of their own, or a gift card by its code. */
export type CreditSource = { readonly accountId: string } | { readonly giftCardCode: string };

/** Accounts that were found, by id and by the hash of their code. */
export type FoundAccounts = ReadonlyMap<string, Account>;

/** Wrong codes in a minute, from one address. */
const MAX_WRONG_CODES = 60;

/**
 * Decides who may spend which account: its customer with a JWT, an admin, or anyone who knows the code of a gift card.
 */
@Injectable()
export class CreditAccess {
  private readonly wrongCodes: WindowCounters;

  constructor(
    private readonly accounts: AccountRepository,
    private readonly codes: GiftCardCodes,
    private readonly limiter: RateLimiter,
    @Optional() redis?: Redis,
  ) {
    this.wrongCodes = new WindowCounters(redis);
  }

  /** One statement for all of them. */
  async find(db: Queryable, sources: readonly CreditSource[]): Promise<FoundAccounts> {
    const found = new Map<string, Account>();
    if (sources.length === 0) return found;
    const ids = sources.flatMap((source) => ('accountId' in source ? [source.accountId] : []));
    const hashes = sources.flatMap((source) =>
      'giftCardCode' in source ? this.codes.hashesOf(source.giftCardCode) : [],
    );
    for (const { codeHash, ...account } of await this.accounts.find(db, ids, hashes)) {
      found.set(account.id, account);
      if (codeHash) found.set(codeHash.toString('hex'), account);
    }
    return found;
  }

  /**
   * In the order in which they were named, without duplicates. Throws ACCOUNT_NOT_FOUND, or RATE_LIMITED if the caller
   * is guessing codes.
   */
  admit(
    caller: Caller,
    currency: string,
    sources: readonly CreditSource[],
    found: FoundAccounts,
  ): readonly CreditShare[] {
    this.assertNotGuessing(caller);
    const accounts = sources.map((source) => this.admitOne(caller, source, found));
    const foreign = accounts.findIndex((account) => account.currency !== currency);
    if (foreign >= 0) {
      const errors = [{ path: `payment.credit.${foreign}`, message: `is in ${accounts[foreign]?.currency ?? ''}` }];
      throw new DomainError('VALIDATION_FAILED', `payment.credit: not in ${currency}`, { errors });
    }
    const labels = new Map(accounts.map(({ id, isGiftCard }) => [id, isGiftCard ? 'Gift card' : 'Store credit']));
    return Array.from(labels, ([accountId, label]) => ({ accountId, label, amount: 0 }));
  }

  /** Whether the caller may see and spend the account. */
  mayUse({ scope, customerId }: Caller, account: Pick<Account, 'customerId'>): boolean {
    return scope === 'admin' || (account.customerId !== null && account.customerId === customerId);
  }

  private admitOne(caller: Caller, source: CreditSource, found: FoundAccounts): Account {
    if ('giftCardCode' in source) {
      const hashes = this.codes.hashesOf(source.giftCardCode).map((hash) => hash.toString('hex'));
      const card = hashes.map((hash) => found.get(hash)).find((account) => account !== undefined);
      if (card) return card;
      this.wrongCodes.add(nameOf(caller), 1);
      throw new AccountNotFoundError();
    }
    const account = found.get(source.accountId);
    if (!account || !this.mayUse(caller, account)) throw new AccountNotFoundError();
    return account;
  }

  /** Correct codes are refused as well: the answer must not reveal whether a code is correct. */
  private assertNotGuessing(caller: Caller): void {
    if (caller.network === undefined || caller.scope === 'admin') return;
    if (this.wrongCodes.read(nameOf(caller)).current < MAX_WRONG_CODES) return;
    throw this.limiter.refuse('gift_card_codes', 60, 'Too many codes that no gift card has, try again later');
  }
}

function nameOf({ client, network = '' }: Caller): string {
  return `gift-card|${client}|${network}`;
}
