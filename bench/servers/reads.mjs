// What reading costs at least: a bare Fastify in front of one prepared SELECT per request. No authentication, no validation.
import fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE ?? 16) });
const app = fastify();
const select = async (name, text, values) => (await pool.query({ name, text, values })).rows;

app.get('/v1/orders/:id', async (request) => {
  const [order] = await select(
    'order',
    `SELECT o.id, o.state, o.currency, o.total, o.customer_id, o.created_at, p.state AS payment, p.amount, p.method,
            (SELECT json_agg(l) FROM order_lines l WHERE l.order_id = o.id) AS lines
       FROM orders o JOIN payments p ON p.order_id = o.id WHERE o.id = $1`,
    [request.params.id],
  );
  return order;
});

app.post('/v1/checkouts/quote', async (request) => {
  const { currency, lines } = request.body;
  const skus = lines.map((line) => line.sku);
  const stock = await select('quote', 'SELECT sku, on_hand FROM stock WHERE sku = ANY($1)', [skus]);
  return { currency, lines, total: 1000 * lines.length, available: stock.every(({ on_hand: left }) => left > 0) };
});

app.get('/v1/skus', async (request) => {
  const items = await select(
    'map',
    `SELECT sku, name, unit_amount AS "unitAmount", currency, seat_group AS "group", on_hand AS "onHand", reserved,
            on_hand - reserved AS available
       FROM seats WHERE seat_group = $1 ORDER BY sku`,
    [request.query.group],
  );
  return { items, nextCursor: null };
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
