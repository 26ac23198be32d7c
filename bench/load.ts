import { ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { KEYS } from '../test/setup/app-process.js';

export interface LoadPlan {
  readonly host: string;
  /** Connections are dealt out in turn: with several instances the generator is also their balancer. */
  readonly ports: readonly number[];
  readonly connections: number;
  /** Request line and headers up to those that differ per request. */
  readonly head: string;
  readonly keyPrefix: string;
  readonly skus: readonly string[];
  readonly linesPerOrder: number;
  readonly payment: string;
  /** The method says how long the provider takes: drawn anew for every request. See servers/provider.mjs. */
  readonly provider?: Lognormal;
  /** How long a buyer rests between two purchases, on average. */
  readonly restMs?: number;
  /** Members of the body in place of the payment alone; every # in it is the number of the request. */
  readonly members?: string;
  /** These requests, in turn, instead of checkouts. */
  readonly requests?: readonly string[];
  /** One request per connection, all at once, instead of a steady load. */
  readonly isBurst: boolean;
}

export interface Lognormal {
  readonly p50: number;
  readonly p99: number;
}

export type LoadCommand = 'begin' | 'end' | 'stop';

export interface PhaseReport {
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly cpuMs: number;
  /** Beyond what the provider took. */
  readonly added?: { readonly p50: number; readonly p99: number; readonly mean: number };
  /** What the provider took, on average. */
  readonly providerMs?: number;
}

export interface LoadReport {
  /** Every answer of the run, warm-up included: what the database is checked against. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly lost: number;
}

type Message =
  | { readonly kind: 'running' }
  | { readonly kind: 'phase'; readonly report: PhaseReport }
  | { readonly kind: 'done'; readonly report: LoadReport };

/** The load generator's process, seen from the bench. */
export class Load {
  private constructor(private readonly child: ChildProcess) {}

  static start(plan: LoadPlan): Load {
    const child = fork(path.join(import.meta.dirname, 'load-client.ts'), {
      execArgv: ['--import', 'tsx', '--no-warnings'],
    });
    child.send(plan);
    return new Load(child);
  }

  async running(): Promise<void> {
    await this.next('running');
  }

  begin(): void {
    this.child.send('begin');
  }

  async end(): Promise<PhaseReport> {
    this.child.send('end');
    return this.phase();
  }

  async phase(): Promise<PhaseReport> {
    return (await this.next('phase')).report;
  }

  async stop(): Promise<LoadReport> {
    this.child.send('stop');
    return this.done();
  }

  async done(): Promise<LoadReport> {
    return (await this.next('done')).report;
  }

  private async next<K extends Message['kind']>(kind: K): Promise<Extract<Message, { kind: K }>> {
    const ended = once(this.child, 'exit').then(([code]) => {
      throw new Error(`the load generator ended with ${String(code)}`);
    });
    ended.catch(() => undefined);
    for (;;) {
      const [message] = (await Promise.race([once(this.child, 'message'), ended])) as [Message];
      if (message.kind === kind) return message as Extract<Message, { kind: K }>;
    }
  }
}

export function requestHead(host: string, port: number, requestPath: string, apiKey: string): string {
  return `POST ${requestPath} HTTP/1.1\r\nhost: ${host}:${port}\r\nx-api-key: ${apiKey}\r\ncontent-type: application/json\r\n`;
}

export function plan(port: number, overrides: Partial<LoadPlan>): LoadPlan {
  const host = '127.0.0.1';
  return {
    host,
    ports: [port],
    connections: 1,
    head: requestHead(host, port, '/v1/checkouts', KEYS.STOREFRONT_API_KEY),
    keyPrefix: `bench-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}-`,
    skus: [],
    linesPerOrder: 2,
    payment: 'pm_card_visa',
    isBurst: false,
    ...overrides,
  };
}
