import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS } from '../test/setup/app-process.js';

export type Following = 'poll' | 'sse';

export interface Ticket {
  readonly id: string;
  readonly token: string;
  readonly state: string;
  readonly position: number;
  readonly eventsUrl: string;
}

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

interface Answer extends RawAnswer {
  readonly body: any;
}

const MAX_SOCKETS = 96;
const RETRY_MS = 500;

/** The instances, as a balancer has them: whoever does not answer is left out. */
export class Front {
  private readonly agents = new Map<string, Agent>();
  requests = 0;

  constructor(public urls: readonly string[]) {}

  leave(url: string): void {
    this.urls = this.urls.filter((other) => other !== url);
  }

  /** Until there is an answer: what broke off is sent again, to the next instance. */
  async send(client: number, method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      const url = this.urls[(client + attempt) % this.urls.length]!;
      try {
        const answer = parsed(await this.once(url, method, path, body, headers));
        if (answer.status !== 503 && answer.body?.code !== 'IDEMPOTENCY_IN_PROGRESS') return answer;
      } catch {
        // a broken connection: its instance is gone, or will be found gone
      }
      await sleep(RETRY_MS);
    }
  }

  private once(url: string, method: string, path: string, body: unknown, headers: object): Promise<RawAnswer> {
    this.requests += 1;
    return new Promise((resolve, reject) => {
      const call = request(
        `${url}${path}`,
        {
          method,
          agent: this.agentOf(url),
          headers: {
            'x-api-key': KEYS.STOREFRONT_API_KEY,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) });
          });
        },
      );
      call.once('error', reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Streams have a connection each. */
  open(url: string, path: string, onMessage: (data: any) => void, onEnd: () => void): void {
    const headers = { 'x-api-key': KEYS.STOREFRONT_API_KEY };
    // The address names the instance that answered; a stream may go on at another one.
    const { pathname, search } = new URL(path, url);
    const call = request(`${url}${pathname}${search}`, { agent: false, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (data !== undefined) onMessage(JSON.parse(data));
        }
      });
      response.once('error', onEnd);
      response.once('end', onEnd);
    });
    call.once('error', onEnd);
    call.end();
  }

  close(): void {
    for (const agent of this.agents.values()) agent.destroy();
  }

  private agentOf(url: string): Agent {
    const known = this.agents.get(url) ?? new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
    this.agents.set(url, known);
    return known;
  }
}

function parsed(answer: RawAnswer): Answer {
  return { ...answer, body: answer.bytes.length > 0 ? JSON.parse(answer.bytes.toString()) : '' };
}

/** One person who wants a seat: joins, waits as told, and buys when called. */
export class Person {
  ticket: Ticket | undefined;
  calledAt: number | undefined;
  seatedAt: number | undefined;
  orderId: string | undefined;
  /** When the person learnt that there is nothing left. */
  soldOutAt: number | undefined;
  failure: string | undefined;

  constructor(
    private readonly front: Front,
    private readonly saleId: string,
    private readonly group: string,
    readonly index: number,
  ) {}

  async join(): Promise<void> {
    const body = { customer: { id: `person-${this.index}` } };
    const headers = { 'idempotency-key': `join-${this.saleId}-${this.index}` };
    const answer = await this.front.send(this.index, 'POST', `/v1/sales/${this.saleId}/tickets`, body, headers);
    if (answer.status !== 201) throw new Error(`no ticket: ${answer.status} ${JSON.stringify(answer.body)}`);
    this.ticket = answer.body;
  }

  /** Until there is a seat, or none is left. */
  async follow(by: Following): Promise<void> {
    for (;;) {
      const state = by === 'poll' ? await this.poll() : await this.listen();
      if (state === 'ADMITTED') {
        this.calledAt ??= performance.now();
        if (await this.buy()) return;
      } else {
        if (state === 'SOLD_OUT') this.soldOutAt = performance.now();
        else this.failure = state;
        return;
      }
    }
  }

  private async poll(): Promise<string> {
    const { id, token } = this.ticket!;
    for (;;) {
      const path = `/v1/sales/${this.saleId}/tickets/${id}`;
      const answer = await this.front.send(this.index, 'GET', path, undefined, { 'x-sale-ticket': token });
      if (answer.body.state !== 'WAITING') return answer.body.state ?? String(answer.status);
      await sleep(Number(answer.headers['retry-after']) * 1_000);
    }
  }

  private async listen(): Promise<string> {
    for (;;) {
      const url = this.front.urls[this.index % this.front.urls.length]!;
      const state = await new Promise<string | undefined>((resolve) => {
        this.front.open(
          url,
          this.ticket!.eventsUrl,
          ({ state: seen }) => seen !== 'WAITING' && resolve(seen),
          () => resolve(undefined),
        );
      });
      if (state) return state;
      await sleep(RETRY_MS);
    }
  }

  /** False where nothing is free at the moment: what others hold may come back. */
  private async buy(): Promise<boolean> {
    const ticket = { 'x-sale-ticket': this.ticket!.token };
    const wish = { currency: 'EUR', bestAvailable: { group: this.group, quantity: 1 } };
    const held = await this.front.send(this.index, 'POST', '/v1/reservations', wish, {
      ...ticket,
      'idempotency-key': randomUUID(),
    });
    if (held.status !== 201) {
      if (held.status !== 409) this.failure = `${held.status} ${held.body.reason ?? held.body.code}`;
      await sleep(RETRY_MS);
      return this.failure !== undefined;
    }
    const checkout = { currency: 'EUR', reservationId: held.body.id, payment: { method: 'pm_card_visa' } };
    const headers = { ...ticket, 'x-access-token': held.body.accessToken, 'idempotency-key': randomUUID() };
    let answer = await this.front.send(this.index, 'POST', '/v1/checkouts', checkout, headers);
    while (answer.status === 202)
      answer = await this.front.send(this.index, 'POST', '/v1/checkouts', checkout, headers);
    if (answer.status !== 201) this.failure = `checkout ${answer.status} ${answer.body.code}`;
    this.seatedAt = performance.now();
    this.orderId = answer.body.id;
    return true;
  }
}
