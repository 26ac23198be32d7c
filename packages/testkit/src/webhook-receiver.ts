import { type Schemas, verifyWebhook } from '@checkout-saga/client';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type DeliveredEvent = Schemas['DomainEvent'];

/** A webhook endpoint of the kit's own: what it has got, the service has delivered. */
export interface WebhookReceiver {
  readonly host: string;
  readonly url: string;
  /** Takes what was signed with this secret, and forgets what came before. */
  expect(secret: string): void;
  /** In order of arrival, each once. */
  delivered(): DeliveredEvent[];
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  let secret = '';
  let events: DeliveredEvent[] = [];
  const take = async (request: IncomingMessage): Promise<number> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const event = await verifyWebhook(Buffer.concat(chunks).toString(), request.headers, secret);
    if (!events.some(({ id }) => id === event.id)) events.push(event);
    return 204;
  };
  const server = createServer((request, response) => {
    // What was signed for the endpoint before a reset is none of ours any more: 410 ends its retries.
    void take(request)
      .catch(() => 410)
      .then((status) => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/webhooks`,
    expect: (next) => {
      secret = next;
      events = [];
    },
    delivered: () => [...events],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
