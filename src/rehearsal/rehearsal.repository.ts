import { Injectable } from '@nestjs/common';
import { statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';

/** What is about the installation rather than about the shop, and the provider's secret. Locks end by themselves. */
const KEPT = ['migrations', 'schema_compatibility', 'instances', 'lock_leases', 'settings'];

const TABLES = statement(
  'rehearsal.tables',
  `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
   WHERE schemaname IN ('public', 'sandbox') AND tablename <> ALL($1::text[])
     AND pg_relation_size(format('%I.%I', schemaname, tablename)::regclass) > 0 ORDER BY 1`,
);

/** A statement has one text, and this one's depends on the tables: it takes them from a setting of the transaction. */
const NAME_TABLES = statement('rehearsal.name-tables', `SELECT set_config('rehearsal.tables', $1, true)`);
const EMPTY_TABLES = statement(
  'rehearsal.empty-tables',
  `DO $$ BEGIN EXECUTE 'TRUNCATE ' || current_setting('rehearsal.tables') || ' RESTART IDENTITY CASCADE'; END $$`,
);

const END_HOLD = statement(
  'rehearsal.end-hold',
  `UPDATE reservations SET expires_at = now(), updated_at = now() WHERE id = $1 AND state = 'HELD' RETURNING id`,
);

/** SQL that only rehearsals use: nothing that sells may empty a table or move time. */
@Injectable()
export class RehearsalRepository {
  /** Those that have rows. New ones are among them without being named: a list would be forgotten. */
  async tables(db: Queryable): Promise<string[]> {
    const rows = await db.query<{ name: string }>(TABLES, [KEPT]);
    return rows.map(({ name }) => name);
  }

  /** All at once, so that no order of foreign keys matters. DELETE would leave the dead rows of every run behind. */
  async empty(tx: Tx, tables: readonly string[]): Promise<void> {
    if (tables.length === 0) return;
    await tx.query(NAME_TABLES, [tables.join(', ')]);
    await tx.query(EMPTY_TABLES, []);
  }

  /** Whether it was held. */
  async endHold(tx: Tx, id: string): Promise<boolean> {
    return (await tx.query(END_HOLD, [id])).length > 0;
  }
}
