import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createStorefront, type SaleTicket } from '../../packages/client/src/public-api.js';

/** Tickets as the service sends them, over connections that break after every message. */
describe('following a ticket of a sale', () => {
  let server: Server;
  let url: string;
  let sent: object[];
  beforeAll(async () => {
    server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`: hello\n\nevent: ticket.state\ndata: ${JSON.stringify(sent.shift())}\n\n`, () =>
        response.destroy(),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it('sees it move up, over broken connections, and ends when it is admitted', async () => {
    const at = (position: number, state: SaleTicket['state'] = 'WAITING') => ({ id: 't', state, position });
    sent = [at(9), at(4), at(4), { ...at(0, 'ADMITTED'), admittedUntil: 'soon' }, at(0, 'EXPIRED')];
    const shop = createStorefront({ url, apiKey: 'any' });
    const ticket = { ...at(9), eventsUrl: `${url}/v1/sales/noon/tickets/t/events` };
    const seen: [string, number][] = [];
    for await (const { state, position } of shop.followSale(ticket)) seen.push([state, position]);
    expect(seen).toEqual([
      ['WAITING', 9],
      ['WAITING', 4],
      ['ADMITTED', 0],
    ]);
    expect(sent).toHaveLength(1);
  });
});
