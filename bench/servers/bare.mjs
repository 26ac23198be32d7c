// The ceiling of one Node process: a bare Fastify in front of the whole checkout as one SQL function.
// No lock, no saga, no gateway, no authentication, no validation.
import fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE ?? 16) });
const app = fastify();

app.post('/v1/checkouts', async (request, reply) => {
  const { customer, lines, payment } = request.body;
  const skus = lines.map((line) => line.sku).sort();
  const key = request.headers['idempotency-key'];
  try {
    const { rows } = await pool.query({
      name: 'check-out',
      text: 'SELECT check_out($1, $2, $3, $4) AS id',
      values: [key, customer.id, skus, payment.method],
    });
    reply.code(201);
    return { id: rows[0].id, state: 'CONFIRMED', currency: 'EUR', total: 1000 * skus.length, lines, customer };
  } catch (error) {
    reply.code(error.code === '23514' ? 409 : 500);
    return { code: error.code ?? 'ERROR' };
  }
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
