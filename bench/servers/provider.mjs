// A payment provider that takes its time: the part of Stripe's protocol that checkouts and the reconciliation use. The method
// says how long a charge takes (pm_ms_250), so that the load generator knows the provider's share of every answer.
import { createServer } from 'node:http';

const byKey = new Map(); // the keys that it remembers
const byId = new Map();
const all = [];

function charge(form, key) {
  const known = byKey.get(key);
  if (known) return known;
  const intent = {
    id: `pi_${all.length + 1}`,
    object: 'payment_intent',
    status: 'succeeded',
    amount: Number(form.get('amount')),
    currency: form.get('currency'),
    created: Math.floor(Date.now() / 1_000),
    metadata: { orderId: form.get('metadata[orderId]'), idempotencyKey: form.get('metadata[idempotencyKey]') },
  };
  byKey.set(key, intent);
  byId.set(intent.id, all.length);
  all.push(intent);
  return intent;
}

/** Newest first, as Stripe lists. */
function list(query) {
  const limit = Number(query.get('limit') ?? 10);
  const end = byId.get(query.get('starting_after')) ?? all.length;
  const since = Number(query.get('created[gte]') ?? 0);
  const page = all.slice(Math.max(0, end - limit), end).reverse();
  const data = page.filter(({ created }) => created >= since);
  return { object: 'list', data, has_more: data.length === page.length && end > limit, url: '/v1/payment_intents' };
}

function read(url) {
  const { pathname, searchParams } = new URL(url, 'http://provider');
  if (pathname === '/v1/payment_intents') return list(searchParams);
  const at = byId.get(pathname.slice('/v1/payment_intents/'.length));
  return all[at] ?? { object: 'list', data: [], has_more: false, url: pathname };
}

function send(response, body) {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}

createServer((request, response) => {
  if (request.method !== 'POST') return send(response, read(request.url));
  let text = '';
  request.setEncoding('latin1').on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    const form = new URLSearchParams(text);
    const ms = Number(form.get('payment_method').slice('pm_ms_'.length));
    setTimeout(() => send(response, charge(form, request.headers['idempotency-key'])), ms);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
