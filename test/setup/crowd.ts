import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type HttpAnswer, sendHttp } from '../chaos/http-client.js';
import { type AppProcess, KEYS } from './app-process.js';
import { basket } from './shop.js';

const REQUEST_TIMEOUT_MS = 15_000;
const PAUSE_MS = 100;

/** One purchase that somebody wants, under one Idempotency-Key, however often they have to ask for it. */
export interface Intent {
  readonly key: string;
  readonly statuses: string[];
  /** The order of a 201: acknowledged, so it must stand whatever happens. */
  confirmed?: string;
  /** The order that the service gave up: it must stand as rejected and paid back. */
  rejected?: string;
  /** An answer that nobody should get: there is stock, and the card is good. */
  refused?: string;
  acknowledgedAt?: number;
}

/** Buyers who ask again with the same key, at one instance after the other, until they have a definite answer. */
export class Crowd {
  readonly intents: Intent[] = [];
  private readonly running: Promise<void>[];
  private readonly acknowledgedAt: number[] = [];
  private isOver = false;

  constructor(
    private readonly apps: readonly AppProcess[],
    private readonly skus: readonly string[],
    buyers: number,
    /** Between two purchases of a buyer: where the machine is for what happens to the service. */
    private readonly browsingMs = 0,
  ) {
    this.running = Array.from({ length: buyers }, (_, number) => this.shop(number));
  }

  get confirmed(): readonly Intent[] {
    return this.intents.filter(({ confirmed }) => confirmed !== undefined);
  }

  /** The longest time without an acknowledged checkout, from a moment on. */
  longestOutageMs(since: number): number {
    const times = [since, ...this.acknowledgedAt.filter((at) => at > since)];
    return Math.max(0, ...times.slice(1).map((at, index) => at - times[index]!));
  }

  statuses(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const status of this.intents.flatMap((intent) => intent.statuses)) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  /** Everybody gets an answer to what they have begun. */
  async goHome(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  private async shop(number: number): Promise<void> {
    while (!this.isOver) {
      const intent: Intent = { key: randomUUID(), statuses: [] };
      this.intents.push(intent);
      const sku = this.skus[number % this.skus.length]!;
      for (let attempt = number; !(await this.ask(intent, sku, attempt)); attempt += 1) await delay(PAUSE_MS);
      await delay(this.browsingMs);
    }
  }

  private async ask(intent: Intent, sku: string, attempt: number): Promise<boolean> {
    const port = Number(new URL(this.apps[attempt % this.apps.length]!.url).port);
    const headers = { 'x-api-key': KEYS.STOREFRONT_API_KEY, 'idempotency-key': intent.key };
    const body = basket(sku, { metadata: { intent: intent.key } });
    const request = { method: 'POST', path: '/v1/checkouts', headers, body, timeoutMs: REQUEST_TIMEOUT_MS } as const;
    try {
      const answer = await sendHttp(port, request);
      intent.statuses.push(`${answer.status} ${String(answer.body?.code ?? '')}`.trim());
      if (answer.status !== 201) return await this.isRejected(port, intent, answer);
      intent.confirmed = String(answer.body.id);
      intent.acknowledgedAt = performance.now();
      this.acknowledgedAt.push(intent.acknowledgedAt);
      return true;
    } catch (error) {
      intent.statuses.push((error as NodeJS.ErrnoException).code ?? 'no answer');
      return false;
    }
  }

  private async isRejected(port: number, intent: Intent, { status, body }: HttpAnswer): Promise<boolean> {
    if (status < 500 && status !== 202 && body?.code !== 'IDEMPOTENCY_IN_PROGRESS') {
      intent.refused = `${status} ${String(body?.code)}`;
      return true;
    }
    const orderId = body?.orderId as string | undefined;
    if (status < 500 || orderId === undefined) return false;
    const headers = { 'x-api-key': KEYS.ADMIN_API_KEY };
    const path = `/v1/orders/${orderId}`;
    const look = await sendHttp(port, { method: 'GET', path, headers, timeoutMs: REQUEST_TIMEOUT_MS });
    if (look.status !== 200 || look.body.state !== 'REJECTED') return false;
    intent.rejected = orderId;
    return true;
  }
}
