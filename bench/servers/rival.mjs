// What a careful engineer writes without a saga engine: the intent commits before the provider would be called, the result
// after it, each in a transaction of its own, and DESIGN says how the last units are shared out:
//   update    UPDATE ... WHERE on_hand >= 1; the row lock is kept until the commit
//   advisory  pg_advisory_xact_lock(sku), then read and write
//   units     one row per unit, taken with SKIP LOCKED
// The provider answers at once and costs nothing. No lease, no recovery, no authentication, no validation.
import fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE ?? 16) });
const app = fastify();

class OutOfStock extends Error {}

const TAKE = {
  update: async (sql, order, sku) => {
    const taken = await sql('take', 'UPDATE stock SET on_hand = on_hand - 1 WHERE sku = $1 AND on_hand >= 1', [sku]);
    return taken.rowCount === 1;
  },
  advisory: async (sql, order, sku) => {
    await sql('lock', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [sku]);
    const { rows } = await sql('read', 'SELECT on_hand FROM stock WHERE sku = $1', [sku]);
    if (!(rows[0]?.on_hand >= 1)) return false;
    await sql('write', 'UPDATE stock SET on_hand = on_hand - 1 WHERE sku = $1', [sku]);
    return true;
  },
  units: async (sql, order, sku) => {
    const taken = await sql(
      'unit',
      `UPDATE units SET order_id = $1
        WHERE id = (SELECT id FROM units WHERE sku = $2 AND order_id IS NULL LIMIT 1 FOR UPDATE SKIP LOCKED)`,
      [order, sku],
    );
    return taken.rowCount === 1;
  },
};
const take = TAKE[process.env.DESIGN];

async function transaction(work) {
  const client = await pool.connect();
  const sql = (name, text, values) => client.query({ name, text, values });
  try {
    await sql('begin', 'BEGIN', []);
    const result = await work(sql);
    await sql('commit', 'COMMIT', []);
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function begin({ customer, lines, payment }, key) {
  const skus = lines.map((line) => line.sku).sort();
  const total = 1000 * skus.length;
  return transaction(async (sql) => {
    await sql('key', 'INSERT INTO idempotency_keys (key) VALUES ($1)', [key]);
    const { rows } = await sql(
      'order',
      `INSERT INTO orders (state, currency, total, customer_id) VALUES ('PENDING', 'EUR', $1, $2) RETURNING id`,
      [total, customer.id],
    );
    const { id } = rows[0];
    await sql(
      'lines',
      'INSERT INTO order_lines (order_id, sku, quantity, unit_amount) SELECT $1, s, 1, 1000 FROM unnest($2::text[]) AS s',
      [id, skus],
    );
    await sql('payment', `INSERT INTO payments (order_id, state, amount, method) VALUES ($1, 'PENDING', $2, $3)`, [
      id,
      total,
      payment.method,
    ]);
    for (const sku of skus) if (!(await take(sql, id, sku))) throw new OutOfStock(sku);
    return { id, state: 'CONFIRMED', currency: 'EUR', total, lines, customer };
  });
}

async function confirm({ id }) {
  await transaction(async (sql) => {
    await sql('capture', `UPDATE payments SET state = 'CAPTURED' WHERE order_id = $1`, [id]);
    await sql('confirm', `UPDATE orders SET state = 'CONFIRMED' WHERE id = $1`, [id]);
  });
}

app.post('/v1/checkouts', async (request, reply) => {
  try {
    const order = await begin(request.body, request.headers['idempotency-key']);
    await confirm(order);
    return reply.code(201).send(order);
  } catch (error) {
    if (!(error instanceof OutOfStock)) throw error;
    return reply.code(409).send({ code: 'OUT_OF_STOCK' });
  }
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
