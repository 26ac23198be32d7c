import type pg from 'pg';

const CHUNK = 50_000;

/** Which columns of a copy get new values; all others, also those that migrations will add, are taken as they are. */
interface Copy {
  readonly table: string;
  /** How a row `t` belongs to its order. */
  readonly join: string;
  readonly changed: Readonly<Record<string, string>>;
}

/** As old as their ids say. Keys and events stay young: old ones are purged. */
const OLD = { created_at: 'm.at', updated_at: 'm.at' };

const COPIES: readonly Copy[] = [
  {
    table: 'reservations',
    join: 't.id = m.old_reservation',
    changed: { id: 'm.reservation_id', order_id: 'm.order_id', ...OLD },
  },
  {
    table: 'reservation_lines',
    join: 't.reservation_id = m.old_reservation',
    changed: { reservation_id: 'm.reservation_id' },
  },
  {
    table: 'orders',
    join: 't.id = m.old_order',
    changed: {
      id: 'm.order_id',
      saga_id: 'm.saga_id',
      reservation_id: 'm.reservation_id',
      idempotency_digest: 'substring(sha256(m.saga_id::text::bytea) FOR 16)',
      ...OLD,
    },
  },
  {
    table: 'payments',
    join: 't.order_id = m.old_order',
    changed: {
      id: 'm.payment_id',
      order_id: 'm.order_id',
      idempotency_key: 'm.saga_id::text',
      transaction_id: `'ch_' || m.payment_id`,
      ...OLD,
    },
  },
  { table: 'sagas', join: 't.id = m.old_saga', changed: { id: 'm.saga_id', subject: 'm.order_id::text', ...OLD } },
  {
    table: 'idempotency_keys',
    join: 't.saga_id = m.old_saga',
    changed: { id: 'sha256(m.saga_id::text::bytea)', saga_id: 'm.saga_id' },
  },
  {
    table: 'outbox',
    join: 't.subject = m.old_order::text',
    changed: { id: 'uuidv7()', subject: 'm.order_id::text' },
  },
  { table: 'order_timeline', join: 't.order_id = m.old_order', changed: { order_id: 'm.order_id' } },
  {
    table: 'sandbox.charges',
    join: 't.order_id = m.old_order::text',
    changed: {
      id: `'ch_' || m.payment_id`,
      idempotency_key: 'm.saga_id::text',
      order_id: 'm.order_id::text',
      created_at: 'm.at',
    },
  },
];

/**
 * Fills the tables up to that many orders with copies of real checkouts under new ids, set-based. Ids are of the past:
 * new ones go to the right end of each index, as they would after years of selling.
 */
export async function seedOrders(client: pg.Client, target: number, onProgress: (done: number) => void): Promise<void> {
  await client.query(`SET synchronous_commit = off`);
  await client.query(`SET statement_timeout = 0`);
  await client.query(`
    CREATE TEMP TABLE model AS SELECT row_number() OVER () - 1 AS n, id AS old_order, saga_id AS old_saga, reservation_id AS old_reservation
    FROM (SELECT * FROM orders WHERE state = 'CONFIRMED' ORDER BY id LIMIT 500) o`);
  const { rows } = await client.query<{ existing: number; models: number }>(
    `SELECT (SELECT count(*)::int FROM orders) AS existing, (SELECT count(*)::int FROM model) AS models`,
  );
  const { existing, models } = rows[0]!;
  const copies: string[] = [];
  for (const copy of COPIES) copies.push(await insertOf(client, copy));
  await client.query('ANALYZE');
  for (let done = existing; done < target; done += CHUNK) {
    const count = Math.min(CHUNK, target - done);
    await client.query('DROP TABLE IF EXISTS m');
    await client.query(
      `CREATE TEMP TABLE m AS SELECT uuidv7(shift) AS order_id, uuidv7(shift) AS saga_id, uuidv7(shift) AS payment_id,
         uuidv7(shift) AS reservation_id, now() + shift AS at, model.*
       FROM (SELECT g, interval '-90 days' + (${done} + g) * interval '5 ms' AS shift FROM generate_series(1, ${count}) g) s
       JOIN model ON model.n = s.g % ${models}`,
    );
    await client.query('ANALYZE m');
    for (const sql of copies) await client.query(sql);
    onProgress(Math.min(target, done + count));
  }
  await balanceStock(client);
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}

async function insertOf(client: pg.Client, { table, join, changed }: Copy): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = '' AND attgenerated = ''
     ORDER BY attnum`,
    [table],
  );
  const names = rows.map((row) => row.name);
  const values = names.map((name) => changed[name] ?? `t.${name}`);
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM m JOIN ${table} t ON ${join}`;
}

/** What the copies have sold was once delivered: the stock's own ledger stays balanced. */
async function balanceStock(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO stock_movements (sku, kind, delta, on_hand_after, reason, actor)
    SELECT s.sku, 'ADJUSTMENT', s.on_hand + c.committed - m.moved, s.on_hand, 'seeded', 'bench' FROM skus s
    JOIN (SELECT sku, sum(delta) AS moved FROM stock_movements GROUP BY sku) m ON m.sku = s.sku
    JOIN (SELECT l.sku, sum(l.quantity) AS committed FROM reservation_lines l JOIN reservations r ON r.id = l.reservation_id
          WHERE r.state = 'COMMITTED' GROUP BY l.sku) c ON c.sku = s.sku
    WHERE s.on_hand + c.committed <> m.moved`);
}
