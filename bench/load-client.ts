import { connect, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadCommand, LoadPlan, LoadReport, Lognormal, PhaseReport } from './load.js';

/**
 * The load generator, in its own process so that its cost can be measured separately. Raw HTTP/1.1 over node:net: fetch
 * or autocannon would take more CPU than the server under test, and both share the machine.
 */
class Connection {
  private socket: Socket;
  private pending = '';
  private onAnswer: ((status: number) => void) | undefined;
  private onLost: ((error: Error) => void) | undefined;

  constructor(
    private readonly host: string,
    private readonly port: number,
  ) {
    this.socket = this.open();
  }

  private open(): Socket {
    const socket = connect({ host: this.host, port: this.port, noDelay: true });
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.receive(chunk));
    socket.on('error', (error) => this.onLost?.(error));
    socket.on('close', () => this.onLost?.(new Error('connection closed')));
    return socket;
  }

  /** A server closes connections that rest for long: like any client, we open another. */
  async reopen(): Promise<void> {
    if (this.socket.writable) return;
    this.socket = this.open();
    await this.ready();
  }

  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.once('connect', resolve);
      this.socket.once('error', reject);
    });
  }

  send(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.onAnswer = resolve;
      this.onLost = reject;
      this.socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.onLost = undefined;
    this.socket.destroy();
  }

  private receive(chunk: string): void {
    this.pending = this.pending === '' ? chunk : this.pending + chunk;
    const headEnd = this.pending.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const mark = this.pending.search(/content-length:/i);
    const length = mark < 0 || mark > headEnd ? 0 : Number.parseInt(this.pending.slice(mark + 15, mark + 30), 10);
    if (this.pending.length < headEnd + 4 + length) return;
    const status = Number(this.pending.slice(9, 12));
    this.pending = '';
    this.onAnswer?.(status);
  }
}

/** What happened between two moments; an answer counts for the phase in which it arrives. */
class Phase {
  readonly latencies: number[] = [];
  readonly statuses = new Map<number, number>();
  private readonly added: number[] = [];
  private providerMs = 0;
  private readonly startedAt = performance.now();
  private readonly cpu = process.cpuUsage();

  add(status: number, latencyMs: number, providerMs: number): void {
    this.latencies.push(latencyMs);
    this.added.push(latencyMs - providerMs);
    this.providerMs += providerMs;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  report(): PhaseReport {
    const seconds = (performance.now() - this.startedAt) / 1_000;
    const cpu = process.cpuUsage(this.cpu);
    const answers = Math.max(1, this.latencies.length);
    const latency = shares(this.latencies);
    const added = shares(this.added);
    return {
      seconds,
      statuses: Object.fromEntries(this.statuses),
      ...{ p50: latency(0.5), p95: latency(0.95), p99: latency(0.99), max: latency(1) },
      cpuMs: (cpu.user + cpu.system) / 1_000,
      added: { p50: added(0.5), p99: added(0.99), mean: this.added.reduce((sum, ms) => sum + ms, 0) / answers },
      providerMs: this.providerMs / answers,
    };
  }
}

function shares(values: readonly number[]): (share: number) => number {
  const sorted = Float64Array.from(values).sort();
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** 99 % of a normal distribution lie below this many standard deviations. */
const Z99 = 2.326;

function drawn({ p50, p99 }: Lognormal): number {
  const normal = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return Math.round(p50 * Math.exp((Math.log(p99 / p50) / Z99) * normal));
}

class LoadClient {
  private readonly total = new Map<number, number>();
  private phase = new Phase();
  private isStopping = false;
  private sent = 0;
  private lost = 0;

  constructor(private readonly plan: LoadPlan) {}

  async connectAll(): Promise<Connection[]> {
    const connections: Connection[] = [];
    for (let i = 0; i < this.plan.connections; i += 1) {
      const { host, ports } = this.plan;
      const connection = new Connection(host, ports[i % ports.length]!);
      await connection.ready();
      connections.push(connection);
    }
    return connections;
  }

  begin(): void {
    this.phase = new Phase();
  }

  end(): PhaseReport {
    return this.phase.report();
  }

  stop(): void {
    this.isStopping = true;
  }

  async buyUntilStopped(connection: Connection): Promise<void> {
    const { restMs = 0 } = this.plan;
    while (!this.isStopping) {
      if (restMs > 0) {
        await sleep(-restMs * Math.log(1 - Math.random()));
        await connection.reopen();
      }
      if (!(await this.buy(connection))) return;
    }
  }

  async buy(connection: Connection): Promise<boolean> {
    const { provider } = this.plan;
    const providerMs = provider ? drawn(provider) : 0;
    const request = this.nextRequest(provider ? `pm_ms_${providerMs}` : this.plan.payment);
    const startedAt = performance.now();
    try {
      const status = await connection.send(request);
      this.phase.add(status, performance.now() - startedAt, providerMs);
      this.total.set(status, (this.total.get(status) ?? 0) + 1);
      return true;
    } catch {
      this.lost += 1;
      return false;
    }
  }

  report(): LoadReport {
    return { statuses: Object.fromEntries(this.total), lost: this.lost };
  }

  private nextRequest(method: string): string {
    const { requests } = this.plan;
    if (requests) return requests[this.sent++ % requests.length]!;
    const { head, keyPrefix, members = `"payment":{"method":"${method}"}` } = this.plan;
    this.sent += 1;
    const rest = members.replaceAll('#', String(this.sent));
    const body = `{"customer":{"id":"c${this.sent % 5_000}"},"currency":"EUR","lines":[${this.lines()}],${rest}}`;
    return `${head}idempotency-key: ${keyPrefix}${this.sent}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  }

  private lines(): string {
    const { skus, linesPerOrder } = this.plan;
    const first = Math.floor(Math.random() * skus.length);
    let lines = '';
    for (let i = 0; i < linesPerOrder; i += 1) {
      // An odd stride apart: distinct SKUs for as long as there are enough of them.
      const sku = skus[(first + i * 37) % skus.length]!;
      lines += `${i === 0 ? '' : ','}{"sku":"${sku}","quantity":1}`;
    }
    return lines;
  }
}

function say(message: unknown): void {
  process.send!(message);
}

async function runBurst(client: LoadClient): Promise<void> {
  const connections = await client.connectAll();
  client.begin();
  await Promise.all(connections.map((connection) => client.buy(connection)));
  say({ kind: 'phase', report: client.end() });
  for (const connection of connections) connection.close();
}

async function runSteady(client: LoadClient): Promise<void> {
  const connections = await client.connectAll();
  process.on('message', (command: LoadCommand) => {
    if (command === 'begin') client.begin();
    else if (command === 'end') say({ kind: 'phase', report: client.end() });
    else client.stop();
  });
  say({ kind: 'running' });
  await Promise.all(connections.map((connection) => client.buyUntilStopped(connection)));
  for (const connection of connections) connection.close();
}

process.once('message', (plan: LoadPlan) => {
  const client = new LoadClient(plan);
  const run = plan.isBurst ? runBurst(client) : runSteady(client);
  run.then(
    () => {
      say({ kind: 'done', report: client.report() });
      process.disconnect();
    },
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
