import { createServer, IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../setup/eventually.js';

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly occurredAt: string;
  readonly data: Record<string, any>;
}

export interface ReceivedMessage {
  readonly raw: string;
  readonly event: ReceivedEvent;
  readonly headers: IncomingHttpHeaders;
}

export type Respond = (message: ReceivedMessage, response: ServerResponse) => void;

export interface Receiver {
  readonly url: string;
  readonly host: string;
  readonly messages: ReceivedMessage[];
  respond: Respond;
  /** The events of an order, or all, as they arrived. */
  of(subject?: string): ReceivedMessage[];
  until(isDone: (messages: ReceivedMessage[]) => boolean): Promise<ReceivedMessage[]>;
  close(): Promise<void>;
}

export const accept: Respond = (_, response) => void response.writeHead(204).end();
export const answer =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (_, response) =>
    void response.writeHead(status, headers).end();

/** A merchant's endpoint. */
export async function startReceiver(): Promise<Receiver> {
  const messages: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const message = { raw, event: JSON.parse(raw) as ReceivedEvent, headers: request.headers };
      messages.push(message);
      receiver.respond(message, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: Receiver = {
    url: `http://${host}/hooks`,
    host,
    messages,
    respond: accept,
    of: (subject) => messages.filter(({ event }) => subject === undefined || event.subject === subject),
    until: (isDone) => eventually('the message', () => messages, { until: isDone }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
