import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { untilAborted } from '../common/deadline.js';
import { AddressPolicy, ResolvedAddress } from './address-policy.js';

export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** Enough for a normal answer, of which only the status is used. */
const MAX_ANSWER_BYTES = 1_024;
const MAX_ANSWER_MS = 1_000;
const AGENT: http.AgentOptions = { keepAlive: true, maxFreeSockets: 8, timeout: 60_000 };

/**
 * Posts to addresses that customers have chosen. Uses Node's own client, because its `lookup` option pins the
 * connection to the checked addresses while TLS still verifies the name, and because it follows no redirects.
 */
export class WebhookSender {
  private readonly agents = { 'http:': new http.Agent(AGENT), 'https:': new https.Agent(AGENT) };

  constructor(private readonly policy: AddressPolicy) {}

  close(): void {
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
  }

  async send(message: WebhookMessage, signal: AbortSignal): Promise<WebhookAnswer> {
    const url = new URL(message.url);
    const addresses = await untilAborted(signal, this.policy.resolve(url));
    try {
      return await this.post(url, addresses, message, signal);
    } catch (error) {
      // The other side closed a kept connection while we were sending: it has not read the request.
      if (error instanceof StaleConnectionError) return this.post(url, addresses, message, signal);
      throw error;
    }
  }

  private post(
    url: URL,
    addresses: readonly ResolvedAddress[],
    { headers, body }: WebhookMessage,
    signal: AbortSignal,
  ): Promise<WebhookAnswer> {
    const isTls = url.protocol === 'https:';
    const options: https.RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: isTls ? this.agents['https:'] : this.agents['http:'],
      lookup: pinnedTo(addresses),
      signal,
    };
    return new Promise((resolve, reject) => {
      const request = (isTls ? https : http).request(url, options, (response) => {
        readBriefly(response);
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
      });
      // Without a listener Node closes the connection without any further event, and the attempt would never end.
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve({ status: response.statusCode ?? 0, retryAfter: undefined });
      });
      request.on('close', () => reject(new Error('the connection was closed without an answer')));
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        reject(isStale ? new StaleConnectionError('the kept connection was closed', { cause: error }) : error);
      });
      request.end(body);
    });
  }
}

class StaleConnectionError extends Error {}

function pinnedTo(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** Reads a short answer to its end, so that the connection can be kept. Cuts off one that is long, or takes long. */
function readBriefly(response: http.IncomingMessage): void {
  let bytes = 0;
  const cut = setTimeout(() => response.destroy(), MAX_ANSWER_MS).unref();
  response.on('close', () => clearTimeout(cut));
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
}
