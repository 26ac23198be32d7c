// A naive design that is found in many code bases: SETNX per product, 10 tries 50 ms apart, reserve under the lock,
// PEXPIRE, create the order when all locks are there, DEL. Its faults are kept: the lock has no owner, the reservation
// of a refused order is not released, and the writes share no transaction.
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { Redis } from 'ioredis';
import pg from 'pg';

const RETRY_TIMES = 10;
const RETRY_DELAY_MS = 50;
const EXPIRE_MS = 3_000;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE ?? 16) });
const redis = new Redis(process.env.REDIS_URL);
const app = fastify();
const sql = (name, text, values) => pool.query({ name, text, values });

async function acquireLock(sku) {
  const key = `lock:product:${sku}`;
  for (let i = 0; i < RETRY_TIMES; i += 1) {
    if ((await redis.setnx(key, EXPIRE_MS)) === 1) {
      const { rowCount } = await sql(
        'reserve',
        'UPDATE stock SET on_hand = on_hand - 1 WHERE sku = $1 AND on_hand >= 1',
        [sku],
      );
      await redis.pexpire(key, EXPIRE_MS);
      return { key, isReserved: rowCount === 1 };
    }
    await sleep(RETRY_DELAY_MS);
  }
  return undefined;
}

async function createOrder(body, key) {
  const total = 1000 * body.lines.length;
  await sql('key', 'INSERT INTO idempotency_keys (key) VALUES ($1)', [key]);
  const { rows } = await sql(
    'order',
    `INSERT INTO orders (state, currency, total, customer_id) VALUES ('CONFIRMED', 'EUR', $1, $2) RETURNING id`,
    [total, body.customer.id],
  );
  const id = rows[0].id;
  await sql(
    'lines',
    `INSERT INTO order_lines (order_id, sku, quantity, unit_amount) SELECT $1, s, 1, 1000 FROM unnest($2::text[]) AS s`,
    [id, body.lines.map((line) => line.sku)],
  );
  await sql('payment', `INSERT INTO payments (order_id, state, amount, method) VALUES ($1, 'CAPTURED', $2, $3)`, [
    id,
    total,
    body.payment.method,
  ]);
  return { id, state: 'CONFIRMED', currency: 'EUR', total, lines: body.lines, customer: body.customer };
}

app.post('/v1/checkouts', async (request, reply) => {
  const locks = [];
  let isAvailable = true;
  for (const line of request.body.lines) {
    const lock = await acquireLock(line.sku);
    if (lock) locks.push(lock.key);
    isAvailable = isAvailable && lock !== undefined && lock.isReserved;
  }
  const order = isAvailable ? await createOrder(request.body, request.headers['idempotency-key']) : undefined;
  for (const key of locks) await redis.del(key);
  reply.code(order ? 201 : 409);
  return order ?? { code: 'PRODUCT_UNAVAILABLE' };
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
