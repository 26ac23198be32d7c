import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Stripe } from 'stripe';
import { StripeBooks } from './stripe-books.js';
import { Answer, Params, parseForm, refusal, type StripeEvent } from './stripe-objects.js';

/** What goes wrong with the next POST. `after` means that it took effect. */
export type StripeFault =
  'hang-before' | 'hang-after' | 'drop-before' | 'drop-after' | '500-before' | '500-after' | 'rate-limit' | 'truncated';

interface Remembered {
  readonly fingerprint: string;
  at: number;
  /** Undefined while the first request is under way. */
  answer?: Answer;
}

const SECRET_KEY = 'sk_test_local';
const WORK_MS = 5;
/** "You can remove keys from the system automatically after they're at least 24 hours old." They do. */
const KEY_MEMORY_MS = 24 * 3_600_000;
const RATE_LIMITED = refusal(429, { type: 'invalid_request_error', code: 'rate_limit' });
const SERVER_ERROR = refusal(500, { type: 'api_error', message: 'Something went wrong on our end.' });

/** A local server that speaks the part of Stripe's protocol that we use. */
export class StripeServer {
  readonly secretKey = SECRET_KEY;
  readonly webhookSecret = 'whsec_local_server_secret';
  readonly books = new StripeBooks();
  readonly requests: { method: string; path: string; params: Params; idempotencyKey: string | undefined }[] = [];
  /** Every request is answered with a 503. */
  isAway = false;
  private readonly remembered = new Map<string, Remembered>();
  private readonly faults: StripeFault[] = [];
  private readonly server: Server = createServer((request, response) => {
    this.serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  failNext(...faults: StripeFault[]): void {
    this.faults.push(...faults);
  }

  /**
   * Moves the clock, ours with it: all that Stripe has, and all that it remembers, is that much older, and now is now. A clock
   * that only Stripe followed would leave its charges young in our eyes, and hide whoever looks only at young ones.
   */
  passTime(ms: number): void {
    this.books.age(Math.round(ms / 1_000));
    for (const entry of this.remembered.values()) entry.at -= ms;
  }

  signature(payload: string, options: { secret?: string; nowMs?: number } = {}): string {
    const timestamp = Math.floor((options.nowMs ?? Date.now()) / 1_000);
    return Stripe.webhooks.generateTestHeaderString({
      ...{ payload, timestamp, secret: options.secret ?? this.webhookSecret },
    });
  }

  /** Posts an event as Stripe does; answers the status. */
  async sendWebhook(url: string, payload: string): Promise<number> {
    const headers = { 'content-type': 'application/json', 'stripe-signature': this.signature(payload) };
    return (await fetch(url, { method: 'POST', headers, body: payload })).status;
  }

  /** The same with an event of its own books. */
  deliver(url: string, event: StripeEvent): Promise<number> {
    return this.sendWebhook(url, JSON.stringify(event));
  }

  /** How often a charge was asked for, whatever came of it. */
  get chargesAsked(): number {
    return this.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents').length;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const method = request.method ?? 'GET';
    const params = parseForm(method === 'POST' ? await textOf(request) : url.search.slice(1));
    const header = request.headers['idempotency-key'];
    const idempotencyKey = typeof header === 'string' ? header : undefined;
    this.requests.push({ method, path: url.pathname, params, idempotencyKey });
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) {
      send(response, refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' }));
      return;
    }
    if (this.isAway) {
      send(response, refusal(503, { type: 'api_error', message: 'Away' }));
      return;
    }
    const fault = method === 'POST' ? this.faults.shift() : undefined;
    if (fault === 'hang-before') return;
    if (fault === 'drop-before') response.destroy();
    else if (fault === 'rate-limit') send(response, RATE_LIMITED);
    else {
      const work = () => (fault === '500-before' ? SERVER_ERROR : this.route(method, url.pathname, params));
      const answer = await this.once(idempotencyKey, `${url.pathname} ${JSON.stringify(params)}`, work, fault);
      if (fault === 'drop-after') response.destroy();
      else if (fault === 'truncated') truncate(response, answer);
      else if (fault !== 'hang-after') send(response, answer);
    }
  }

  /**
   * The first result under a key is kept and repeated, a 500 included; another request under it is refused, and one
   * that comes while the first is under way is told so (409). A request that fails validation is not kept, nor is anything
   * for longer than a day: after that the same key is a new one.
   */
  private async once(
    key: string | undefined,
    fingerprint: string,
    work: () => Answer,
    fault: StripeFault | undefined,
  ): Promise<Answer> {
    if (key === undefined) return work();
    const kept = this.remembered.get(key);
    const known = kept && Date.now() - kept.at < KEY_MEMORY_MS ? kept : undefined;
    if (known && known.fingerprint !== fingerprint) {
      return refusal(400, { type: 'idempotency_error', message: 'Keys can only be used with the same parameters' });
    }
    if (known) {
      const inUse = { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In progress' };
      return known.answer ?? refusal(409, inUse);
    }
    const entry: Remembered = { fingerprint, at: Date.now() };
    this.remembered.set(key, entry);
    await delay(WORK_MS);
    const result = work();
    // A copy: what the first request was told does not change with the object.
    const answer = fault === '500-after' ? SERVER_ERROR : structuredClone(result);
    if (isInvalid(answer)) this.remembered.delete(key);
    else entry.answer = answer;
    return answer;
  }

  private route(method: string, path: string, params: Params): Answer {
    const [, , resource, id, verb] = path.split('/');
    if (resource === 'payment_intents' && method === 'POST') {
      if (verb === 'capture') return this.books.captureIntent(id!, params);
      return verb === 'cancel' ? this.books.cancelIntent(id!) : this.books.createIntent(params);
    }
    if (resource === 'payment_intents') {
      if (id === 'search') return this.books.searchIntents(params);
      return id === undefined ? this.books.listIntents(params) : this.books.intent(id);
    }
    if (resource === 'payment_methods' && id !== undefined) return this.books.paymentMethod(id);
    if (resource === 'refunds' && method === 'POST') return this.books.createRefund(params);
    if (resource === 'refunds') return id === undefined ? this.books.listRefunds(params) : this.books.refund(id);
    if (resource === 'disputes' && id !== undefined) return this.books.disputes.retrieve(id);
    if (resource === 'events') return this.books.listEvents(params);
    return refusal(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path})` });
  }
}

function isInvalid({ status, body }: Answer): boolean {
  const error = body['error'] as { type?: string } | undefined;
  return status < 500 && error?.type === 'invalid_request_error';
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_local' });
  response.end(JSON.stringify(body));
}

/** Headers and half a body, and then nothing more. */
function truncate(response: ServerResponse, { body }: Answer): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
