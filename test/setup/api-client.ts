import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

export interface ApiResponse<T = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

interface Options {
  readonly headers?: Record<string, string>;
  readonly key?: 'admin' | 'storefront' | 'none';
  readonly idempotencyKey?: string;
}

/** Only ends what would never end. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 250;

/**
 * Whether the service says that its database stood still, as the one that all test files share does on a busy machine.
 * Nothing has happened then, or the Idempotency-Key leads to what has: the request can be repeated as it is.
 */
export function isDatabaseAway(status: number, body: any): boolean {
  return status === 503 && body?.detail === 'The database is not available, try again shortly';
}

/** Speaks the API over real HTTP, as a storefront or a Postman collection would, and repeats what they would. */
export class ApiClient {
  constructor(
    readonly url: string,
    private readonly keys: { ADMIN_API_KEY: string; STOREFRONT_API_KEY: string },
  ) {}

  get(path: string, options: Options = {}): Promise<ApiResponse> {
    return this.send('GET', path, undefined, options);
  }
  post(path: string, body: unknown, options: Options = {}): Promise<ApiResponse> {
    return this.send('POST', path, body, { idempotencyKey: randomUUID(), ...options });
  }
  put(path: string, body: unknown, options: Options = {}): Promise<ApiResponse> {
    return this.send('PUT', path, body, { key: 'admin', ...options });
  }
  delete(path: string, options: Options = {}): Promise<ApiResponse> {
    return this.send('DELETE', path, undefined, options);
  }

  async send(method: string, path: string, body: unknown, options: Options): Promise<ApiResponse> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.sendOnce(method, path, body, options);
      if (!isDatabaseAway(answer.status, answer.body) || performance.now() > until) return answer;
      await delay(RETRY_MS);
    }
  }

  private async sendOnce(method: string, path: string, body: unknown, options: Options): Promise<ApiResponse> {
    const key = options.key ?? 'storefront';
    const headers: Record<string, string> = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key === 'admin' && { 'x-api-key': this.keys.ADMIN_API_KEY }),
      ...(key === 'storefront' && { 'x-api-key': this.keys.STOREFRONT_API_KEY }),
      ...(options.idempotencyKey !== undefined && method !== 'GET' && { 'idempotency-key': options.idempotencyKey }),
      ...options.headers,
    };
    const payload = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const response = await fetch(`${this.url}${path}`, { method, headers, ...payload });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
  }
}
