import { createServer, IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../setup/eventually.js';

export interface Received {
  readonly path: string;
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
  readonly at: number;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: Received[];
  /** The statuses of the next answers; 200 once they are used up. */
  readonly answers: number[];
  /** Waits until `count` callbacks arrived. */
  until(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** Our webhook endpoint as a provider sees it: an address that takes a POST. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      received.push({ path, body: Buffer.concat(chunks), headers, at: Date.now() });
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    until: async (count) => {
      await eventually(`${count} callbacks`, () => received.length, {
        until: (arrived) => arrived >= count,
        everyMs: 10,
      });
      return received;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
