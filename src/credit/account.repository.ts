import { Injectable } from '@nestjs/common';
import { ContendedRows, type ContendedTable } from '../balance/contended-rows.js';
import { columnsOf, typesOf } from '../platform/postgres/entity-columns.js';
import { overRows } from '../platform/postgres/rows.js';
import { FROM_NEWEST, statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import { AccountEntity, AccountEntryEntity } from './account.entity.js';

const MEMBERS = ['id', 'currency', 'customerId', 'balance', 'held'] as const satisfies readonly (keyof AccountEntity)[];
const ENTRY_MEMBERS = [
  'id',
  'accountId',
  'kind',
  'amount',
  'reason',
  'actor',
  'orderId',
  'refundId',
] as const satisfies readonly (keyof AccountEntryEntity)[];

export interface Account extends Readonly<Pick<AccountEntity, (typeof MEMBERS)[number]>> {
  readonly isGiftCard: boolean;
}

export type LockedAccount = Account & Readonly<Pick<AccountEntity, 'fence'>>;
export type AccountEntry = Readonly<Pick<AccountEntryEntity, (typeof ENTRY_MEMBERS)[number] | 'createdAt'>>;
export type NewAccountEntry = Readonly<Pick<AccountEntryEntity, (typeof ENTRY_MEMBERS)[number]>>;

const COLUMNS = `${columnsOf(AccountEntity, MEMBERS)}, code_hash IS NOT NULL AS "isGiftCard"`;

const ROWS: ContendedTable<LockedAccount> = {
  name: 'account',
  table: 'accounts',
  key: 'id',
  columns: COLUMNS,
  keyOf: ({ id }) => id,
  unit: 'bigint',
  held: 'held',
  taken: { column: 'balance', sign: -1 },
  lockOrder: 3,
};

/** By id, or by the hash of a gift card's code. */
const FIND = statement(
  'account.find',
  `SELECT ${COLUMNS}, code_hash AS "codeHash" FROM accounts WHERE id = ANY($1::text[])
   UNION ALL SELECT ${COLUMNS}, code_hash FROM accounts WHERE code_hash = ANY($2::bytea[])`,
);

const INSERT = statement(
  'account.insert',
  `INSERT INTO accounts (id, currency, customer_id, code_hash) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
);

/** The currency of an account cannot change once it has entries. */
const UPDATE = statement(
  'account.update',
  `UPDATE accounts SET currency = $2, customer_id = $3, updated_at = now()
   WHERE id = $1 AND (currency = $2 OR NOT EXISTS (SELECT FROM account_entries WHERE account_id = $1))
   RETURNING ${COLUMNS}`,
);

/** The customer's oldest account in the currency. Gift cards are left out: they belong to anyone who knows the code. */
const OF_CUSTOMER = statement(
  'account.of-customer',
  `SELECT ${COLUMNS} FROM accounts WHERE customer_id = $1 AND currency = $2 AND code_hash IS NULL ORDER BY created_at, id LIMIT 1`,
);

const ENTRIES = statement(
  'account.entries',
  `SELECT ${columnsOf(AccountEntryEntity, [...ENTRY_MEMBERS, 'createdAt'])} FROM account_entries
   WHERE account_id = $1 AND id < coalesce($2, ${FROM_NEWEST}) ORDER BY id DESC LIMIT $3`,
);

const RECORD = overRows<NewAccountEntry>(
  'account.record',
  typesOf(AccountEntryEntity, ENTRY_MEMBERS),
  (given) => `INSERT INTO account_entries (id, account_id, kind, amount, reason, actor, order_id, refund_id)
   SELECT * FROM ${given}`,
);

/** Accounts, their balances and the books of their changes. */
@Injectable()
export class AccountRepository {
  readonly rows = new ContendedRows(ROWS);

  find(
    db: Queryable,
    ids: readonly string[],
    codeHashes: readonly Buffer[],
  ): Promise<(Account & { codeHash: Buffer | null })[]> {
    return db.query(FIND, [ids, codeHashes]);
  }

  async insert(
    tx: Tx,
    account: Readonly<Pick<AccountEntity, 'id' | 'currency' | 'customerId' | 'codeHash'>>,
  ): Promise<Account | undefined> {
    const { id, currency, customerId, codeHash } = account;
    return (await tx.query<Account & Record<string, unknown>>(INSERT, [id, currency, customerId, codeHash]))[0];
  }

  /** Undefined if it does not exist, or has entries in another currency. */
  async update(
    tx: Tx,
    { id, currency, customerId }: Pick<AccountEntity, 'id' | 'currency' | 'customerId'>,
  ): Promise<Account | undefined> {
    return (await tx.query<Account & Record<string, unknown>>(UPDATE, [id, currency, customerId]))[0];
  }

  async ofCustomer(db: Queryable, customerId: string, currency: string): Promise<Account | undefined> {
    return (await db.query<Account & Record<string, unknown>>(OF_CUSTOMER, [customerId, currency]))[0];
  }

  /** The newest first. */
  entries(db: Queryable, accountId: string, before: string | undefined, limit: number): Promise<AccountEntry[]> {
    return db.query<AccountEntry & Record<string, unknown>>(ENTRIES, [accountId, before ?? null, limit]);
  }

  /** An entry for every change of a balance, in its transaction. */
  record(tx: Tx, entries: readonly NewAccountEntry[]): void {
    if (entries.length > 0) tx.send(...RECORD.over(entries));
  }
}
