import { randomUUID } from 'node:crypto';

export interface ApiResponse<T = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

type Options = { headers?: Record<string, string>; key?: 'admin' | 'storefront' | 'none'; idempotencyKey?: string };

/** Speaks the API over real HTTP, as a storefront or a Postman collection would. */
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
