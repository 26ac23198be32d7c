import type { CallOptions } from './operation.js';
import { CheckoutError, isProblem } from './problem-error.js';
import { Keep, type KeptIntent } from './storage.js';
import type { HttpRequest, Transport } from './transport.js';

/** Method, path and flags of an operation, as the generated tables have them. */
export type Route = string;

/** The service remembers a key for a day after its outcome; a little less, for clocks that differ. */
const KEY_MEMORY_MS = 23 * 3_600_000;
/** What these refuse has no effect, and the same key would hear the same again. */
const DEFINITE = new Set([400, 402, 404, 409, 410, 422]);
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;

/** An intent that was begun more than a day ago and never heard of: whether it happened has to be looked up. */
export class OutcomeUnknownError extends CheckoutError {}

/** Calls operations: fills in paths, makes and keeps Idempotency-Keys, finds access tokens. */
export class Caller {
  private readonly keep: Keep | undefined;
  /** By intent: a second click joins the first. */
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(readonly transport: Transport) {
    const { storage } = transport.options;
    this.keep = storage && new Keep(storage);
  }

  /** The arguments are those of the generated methods: parameters of the path, body or query, options. */
  async call(operation: string, route: Route, args: readonly unknown[]): Promise<unknown> {
    const [method = '', template = '', flags = ''] = route.split(' ');
    const rest = [...args];
    let path = template.replace(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())));
    const payload = /[bq]/.test(flags) ? rest.shift() : undefined;
    const options = (rest.shift() ?? {}) as CallOptions;
    if (flags.includes('q')) path += queryOf(payload as object | undefined);
    const body = flags.includes('b') && payload !== undefined ? JSON.stringify(payload) : undefined;
    const isKeyed = flags.includes('k');
    const send = (key: string | undefined, to = path, what = body): Promise<unknown> =>
      this.send(
        {
          method,
          path: to,
          body: what,
          headers: { 'idempotency-key': key },
          isRepeatable: isKeyed || flags.includes('s'),
        },
        options,
      );
    if (!isKeyed) return send(undefined);
    if (options.intent === undefined) return send(options.idempotencyKey ?? newKey());
    const name = `${operation}:${options.intent}`;
    const joined = this.underWay.get(name);
    if (joined) return joined;
    const begun = this.pursue(name, { path, body, key: options.idempotencyKey ?? newKey() }, send).finally(() =>
      this.underWay.delete(name),
    );
    this.underWay.set(name, begun);
    return begun;
  }

  /** What became of an intent that was begun, here or before a reload; undefined if there is none. */
  async resume(operation: string, route: Route, intent: string, options: CallOptions): Promise<unknown> {
    const name = `${operation}:${intent}`;
    const kept = await this.kept(name);
    if (!kept) return undefined;
    const [method = ''] = route.split(' ');
    return this.settle(
      name,
      (key) => this.send({ method, ...kept, headers: { 'idempotency-key': key }, isRepeatable: true }, options),
      kept.key,
    );
  }

  async forget(operation: string, intent: string): Promise<void> {
    await this.keep?.forgetIntent(`${operation}:${intent}`);
  }

  /** X-Access-Token for what a path or a body names: given, or kept from the answer that brought it. */
  async accessTokenFor(path: string, body: string | undefined, given: string | undefined): Promise<string | undefined> {
    if (given !== undefined || !this.keep) return given;
    const id = UUID.exec(path)?.[0] ?? (body && (JSON.parse(body) as { reservationId?: string }).reservationId);
    return id ? this.keep.token(id) : undefined;
  }

  /**
   * One intent is one request to the service, however often it is begun. If another body was sent before and its outcome is
   * not known, that is found out first: only a definite refusal makes room for the new body.
   */
  private async pursue(
    name: string,
    wanted: Omit<KeptIntent, 'at'>,
    send: (key: string, path?: string, body?: string) => Promise<unknown>,
  ): Promise<unknown> {
    if (!this.keep) throw new TypeError('An intent needs a client with a storage');
    const kept = await this.kept(name);
    const isSame = kept?.path === wanted.path && kept.body === wanted.body;
    if (kept) {
      const resend = () => this.settle(name, (key) => send(key, kept.path, kept.body), kept.key);
      if (isSame) return resend();
      try {
        return await resend();
      } catch (error) {
        if (!isDefinite(error)) throw error;
      }
    }
    await this.keep.keepIntent(name, { ...wanted, at: Date.now() });
    return this.settle(name, send, wanted.key);
  }

  private async settle(name: string, send: (key: string) => Promise<unknown>, key: string): Promise<unknown> {
    try {
      return await send(key);
    } catch (error) {
      if (isDefinite(error)) await this.keep?.forgetIntent(name);
      throw error;
    }
  }

  private async kept(name: string): Promise<KeptIntent | undefined> {
    const kept = await this.keep?.intent(name);
    if (kept && Date.now() - kept.at > KEY_MEMORY_MS) {
      throw new OutcomeUnknownError(`"${name}" was begun more than a day ago: look for its order, then forget it`);
    }
    return kept;
  }

  private async send(request: HttpRequest, options: CallOptions): Promise<unknown> {
    const { saleTicket, ifMatch, prefer } = options;
    const token = await this.accessTokenFor(request.path, request.body, options.accessToken);
    const headers = {
      ...request.headers,
      'x-access-token': token,
      'x-sale-ticket': saleTicket,
      'if-match': ifMatch,
      prefer,
      ...options.headers,
    };
    try {
      const answer = await this.transport.send(
        { ...request, headers },
        options,
        request.headers['idempotency-key'] ? isUnfinished(prefer) : undefined,
      );
      await this.keep?.learn(answer);
      return answer;
    } catch (error) {
      if (isProblem(error)) await this.keep?.learn(error.problem);
      throw error;
    }
  }
}

/**
 * A 202 without anything for the customer to do is asked for again, with the same key, unless the caller set the pace. An
 * order that waits for its customer is an answer.
 */
function isUnfinished(prefer: string | undefined): (response: Response, answer: unknown) => boolean {
  return ({ status }, answer) =>
    status === 202 && prefer === undefined && (answer as { nextAction?: unknown }).nextAction === undefined;
}

function isDefinite(error: unknown): boolean {
  return (
    isProblem(error) &&
    error.code !== 'IDEMPOTENCY_IN_PROGRESS' &&
    (DEFINITE.has(error.status) || 'orderId' in error.problem)
  );
}

function queryOf(query: object = {}): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.set(name, String(value));
  return text.size > 0 ? `?${text}` : '';
}

/** Not `randomUUID`, which browsers keep from pages without HTTPS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte: number) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
