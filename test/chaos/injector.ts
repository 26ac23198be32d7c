import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS } from '../setup/app-process.js';
import { sendHttp } from './http-client.js';
import { describeFault, Fault, FaultKind, Faults, Planned } from './schedule.js';
import { Stack } from './stack.js';

/**
 * How the provider is all the time, in seconds where it would be days: it forgets its keys soon, takes longer than that over
 * some charges, takes some refunds back, and ends authorisations that nobody captures.
 */
const PROVIDER: Faults = { keyMemoryMs: 6_000, processingMs: 9_000, lateFailureMs: 4_000, authorizationMs: 25_000 };

/** A fault of the gateway is set through the service, which may be away for a while. */
const GATEWAY_ATTEMPTS = 400;

export interface InjectionCounts {
  readonly done: Map<FaultKind, number>;
  /** Its target was already down or paused. */
  readonly skipped: Map<FaultKind, number>;
}

/** Carries out the schedule. A target has one fault at a time: what comes while it is busy is skipped and counted. */
export class Injector {
  readonly counts: InjectionCounts = { done: new Map(), skipped: new Map() };
  private readonly busy = new Set<string>();
  private readonly running = new Set<Promise<void>>();
  private gatewayFaults: Faults = {};

  constructor(
    private readonly stack: Stack,
    private readonly log: (line: string) => void,
  ) {}

  begin(): Promise<void> {
    return this.setGateway({});
  }

  async follow(plan: readonly Planned[], startedAt: number): Promise<void> {
    for (const { atMs, fault } of plan) {
      await sleep(Math.max(0, startedAt + atMs - performance.now()));
      this.inject(fault);
    }
  }

  /** Waits until every fault is over and the gateway behaves. */
  async end(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
    await this.setGateway({});
  }

  private inject(planned: Fault): void {
    const fault = this.aimed(planned);
    const target = targetOf(fault);
    if (this.busy.has(target)) {
      count(this.counts.skipped, fault.kind);
      return;
    }
    this.busy.add(target);
    count(this.counts.done, fault.kind);
    this.log(describeFault(fault));
    const work = this.run(fault)
      .catch((error: unknown) => this.log(`${fault.kind} failed: ${String(error)}`))
      .finally(() => {
        this.busy.delete(target);
        this.running.delete(work);
      });
    this.running.add(work);
  }

  /** Another instance if the planned one is down or paused already. */
  private aimed(fault: Fault): Fault {
    if (!('instance' in fault) || !this.busy.has(targetOf(fault))) return fault;
    const free = this.stack.instances.findIndex((_, instance) => !this.busy.has(targetOf({ ...fault, instance })));
    return free < 0 ? fault : { ...fault, instance: free };
  }

  private async run(fault: Fault): Promise<void> {
    const { stack } = this;
    switch (fault.kind) {
      case 'kill instance':
      case 'stop instance':
        await stack.stopInstance(fault.instance, fault.kind === 'kill instance' ? 'SIGKILL' : 'SIGTERM');
        await sleep(fault.forMs);
        return stack.startInstance(fault.instance);
      case 'skew clock':
        await stack.stopInstance(fault.instance, 'SIGTERM');
        return stack.startInstance(fault.instance, fault.skewMs);
      case 'pause instance': {
        const app = stack.instances[fault.instance];
        app?.signal('SIGSTOP');
        await sleep(fault.forMs);
        return app?.signal('SIGCONT');
      }
      case 'kill redis':
        await stack.killRedis();
        await sleep(fault.forMs);
        return stack.startRedis();
      case 'pause redis':
        stack.pauseRedis();
        await sleep(fault.forMs);
        {
          stack.resumeRedis();
          return;
        }
      case 'flush redis':
        return stack.flushRedis();
      case 'cut postgres connections': {
        stack.cutPostgres();
        return;
      }
      case 'restart postgres (fast)':
      case 'restart postgres (crash)':
        await stack.stopPostgres(fault.kind === 'restart postgres (fast)' ? 'fast' : 'immediate');
        await sleep(fault.forMs);
        return stack.startPostgres();
      case 'slow gateway':
      case 'failing gateway':
      case 'callbacks':
        await this.setGateway({ ...this.gatewayFaults, ...fault.faults });
        await sleep(fault.forMs);
        return this.setGateway(without(this.gatewayFaults, fault.faults));
    }
  }

  private async setGateway(faults: Faults): Promise<void> {
    this.gatewayFaults = faults;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await sendHttp(this.stack.balancer.port, {
          method: 'PUT',
          path: '/v1/sandbox/faults',
          headers: { 'x-api-key': KEYS.ADMIN_API_KEY },
          body: { ...PROVIDER, ...faults },
          timeoutMs: 3_000,
        });
        if (answer.status === 200) return;
        throw new Error(`status ${answer.status}`);
      } catch (error) {
        if (attempt >= GATEWAY_ATTEMPTS) throw error;
        await sleep(250);
      }
    }
  }
}

function targetOf(fault: Fault): string {
  if ('instance' in fault) return `instance ${fault.instance}`;
  if (fault.kind.includes('redis')) return 'redis';
  if (fault.kind.includes('postgres')) return 'postgres';
  return fault.kind;
}

function without(all: Faults, gone: Faults): Faults {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !(name in gone)));
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
