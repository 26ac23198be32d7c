import { ERRORS } from './generated/errors.js';
import type { CallOptions } from './operation.js';
import { type CheckoutError, ConnectionError, isProblem, ProblemError, type ProblemLike } from './problem-error.js';
import type { BuyerStorage } from './storage.js';

export interface ClientOptions {
  /** Where the service is, such as `https://checkout.example`. */
  readonly url: string;
  /** A storefront's key, which a browser may hold, or an admin's, which it must not. */
  readonly apiKey: string;
  /** The customer's own JWT, or a function that gets it. */
  readonly customerToken?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /**
   * Of one buyer, such as `localStorage`: keeps what is under way, and access tokens, over a reload. Never one that several
   * buyers share, as on a shop's server: who has the storage can read the orders in it.
   */
  readonly storage?: BuyerStorage | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** How long a call goes on after lost answers and refusals that pass. 60,000 unless given; 0 never tries again. */
  readonly retryForMs?: number | undefined;
  /** After how long an attempt without an answer counts as lost. 40,000 unless given: the service itself waits up to 25,000. */
  readonly attemptTimeoutMs?: number | undefined;
}

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Whether it may be sent again although it may have taken effect. */
  readonly isRepeatable: boolean;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** How long a good answer that is not final is asked for again. A bank debit takes days: the buyer should not wait for it. */
const UNFINISHED_MS = 20_000;
/** Whoever answers so has not done it, or does it only once for one Idempotency-Key. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

export class Transport {
  private readonly base: string;
  private readonly fetch: typeof fetch;

  constructor(readonly options: ClientOptions) {
    this.base = options.url.replace(/\/+$/, '');
    this.fetch = options.fetch ?? ((...args) => fetch(...args));
  }

  /** Sends until there is a definite answer. `isUnfinished` says of a good answer that it is worth asking again. */
  async send(
    request: HttpRequest,
    options: CallOptions,
    isUnfinished: (response: Response, answer: unknown) => boolean = () => false,
  ): Promise<unknown> {
    const begunAt = Date.now();
    const retryForMs = options.retryForMs ?? this.options.retryForMs ?? 60_000;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.attempt(request, options.signal);
      const pauseMs = pauseBefore(attempt, outcome.retryAfter);
      const leftMs = begunAt + retryForMs - Date.now() - pauseMs;
      if (outcome.error === undefined) {
        const isFinal = leftMs < retryForMs - UNFINISHED_MS || leftMs < 0;
        if (isFinal || !isUnfinished(outcome.response, outcome.answer)) {
          options.onResponse?.(outcome.response);
          return outcome.answer;
        }
      } else if (leftMs < 0 || !isPassing(outcome.error, request.isRepeatable)) {
        throw outcome.error;
      }
      await sleep(pauseMs, options.signal);
    }
  }

  /** One attempt, with the body unread. Rejects with a ConnectionError, or with the reason of the caller's signal. */
  async open(request: HttpRequest, signal: AbortSignal | undefined, timeout?: AbortSignal): Promise<Response> {
    signal?.throwIfAborted();
    const signals = [signal, timeout].filter((one) => one !== undefined);
    const headers = await this.headersOf(request);
    const url = request.path.startsWith('/') ? this.base + request.path : request.path;
    return this.fetch(url, {
      method: request.method,
      headers,
      ...(request.body !== undefined && { body: request.body }),
      ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    });
  }

  private async attempt(request: HttpRequest, signal: AbortSignal | undefined): Promise<Outcome> {
    try {
      const timeout = AbortSignal.timeout(this.options.attemptTimeoutMs ?? 40_000);
      const response = await this.open(request, signal, timeout);
      const answer = await read(response);
      const retryAfter = secondsOf(response);
      if (response.ok) return { response, answer, retryAfter };
      return { error: errorOf(response, answer), retryAfter };
    } catch (error) {
      signal?.throwIfAborted();
      return { error: new ConnectionError(error) };
    }
  }

  private async headersOf({ headers, body }: HttpRequest): Promise<Record<string, string>> {
    const { apiKey, customerToken } = this.options;
    const token = typeof customerToken === 'function' ? await customerToken() : customerToken;
    const all = {
      'x-api-key': apiKey,
      authorization: token && `Bearer ${token}`,
      'content-type': body === undefined ? undefined : 'application/json',
      ...headers,
    };
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => !!entry[1]));
  }
}

type Outcome =
  | {
      readonly response: Response;
      readonly answer: unknown;
      readonly retryAfter?: number | undefined;
      error?: undefined;
    }
  | { readonly error: CheckoutError; readonly retryAfter?: number | undefined };

/** An answer that was cut off cannot be read, and is as good as none: Content-Length and JSON both notice. */
async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  if (response.status === 204) return undefined;
  return isJson ? JSON.parse(text) : text;
}

/** The error of a response that is not ok. What stands between may answer with something that is no problem. */
export function errorOf(response: Response, answer: unknown): ProblemError {
  const { status } = response;
  const known = answer as Partial<ProblemLike> | undefined;
  const problem =
    typeof known?.code === 'string'
      ? (known as ProblemLike)
      : { code: `HTTP_${status}`, status, title: response.statusText, detail: `The answer has status ${status}` };
  const Class = (ERRORS as Record<string, typeof ProblemError | undefined>)[problem.code] ?? ProblemError;
  return new Class(problem, secondsOf(response));
}

/** A refused checkout leaves an order behind: that is its outcome, whatever the status. */
export function isPassing(error: CheckoutError, isRepeatable: boolean): boolean {
  if (!isProblem(error)) return isRepeatable;
  if (error.code === 'IDEMPOTENCY_IN_PROGRESS' || error.status === 429) return true;
  return isRepeatable && PASSING.has(error.status) && !('orderId' in error.problem);
}

function secondsOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return seconds >= 0 ? seconds : undefined;
}

/** Twice as long each time, and by chance, so that many clients do not come back together; never before Retry-After. */
export function pauseBefore(attempt: number, retryAfter: number | undefined): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return (retryAfter ?? 0) * 1_000 + longest * (0.5 + Math.random() / 2);
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
