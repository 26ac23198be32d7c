import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What a storefront's own script would be: fetch, EventSource and window.open, on an origin that is not the service's. */
const SCRIPT = `
window.call = async (method, path, body, token) => {
  const headers = { 'X-Api-Key': shop.key, 'Content-Type': 'application/json', Prefer: 'wait=25' };
  if (method === 'POST') headers['Idempotency-Key'] = crypto.randomUUID();
  if (token) headers['X-Access-Token'] = token;
  const response = await fetch(shop.url + path, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};
window.followed = (url, wanted) => new Promise((resolve) => {
  const source = new EventSource(url);
  const look = (state) => state === wanted && (source.close(), resolve(state));
  source.addEventListener('order.state', ({ data }) => look(JSON.parse(data).state));
  for (const state of ['CONFIRMED', 'REJECTED'])
    source.addEventListener('order.' + state.toLowerCase(), () => look(state));
});
window.authenticated = (url) => new Promise((resolve) => {
  addEventListener('message', ({ origin, data }) => origin === new URL(url).origin && resolve(data), { once: true });
  window.open(url, 'authentication', 'popup');
});
`;

export interface ShopPage {
  readonly origin: string;
  /** Where the service is, which starts after the shop: it has to know the shop's origin. */
  serve(settings: { url: string; key: string }): void;
  close(): Promise<void>;
}

export async function startShopPage(): Promise<ShopPage> {
  let settings = {};
  const server: Server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>Shop</title><script>const shop = ${JSON.stringify(settings)};${SCRIPT}</script>`,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    serve: (given) => (settings = given),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
