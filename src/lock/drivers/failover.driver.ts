import { Logger } from '@nestjs/common';
import { messageOf } from '../../common/error-message.js';
import { BreakerOptions, CircuitBreaker } from '../circuit-breaker.js';
import type {
  AcquireRequest,
  Busy,
  Granted,
  Holding,
  LockDriver,
  LockSignals,
  Renewal,
  StoredLock,
} from '../lock-driver.js';
import type { BreakerState } from '../lock-metrics.js';
import { bounded, StoreAwayError } from './bounded.js';

export interface FailoverOptions extends BreakerOptions {
  readonly probeEveryMs: number;
}

/** A look at the other store must not hold up a request for long: it is a courtesy, the fence is the guarantee. */
const CHECK_TIMEOUT_MS = 250;
const RECHECK_MS = 50;
const PROBE_KEYS = ['lock:probe'];

/**
 * Uses the primary store, and the fallback while a circuit breaker is open. Never fails open: with both away, requests
 * fail. Around a change two processes may use different stores; a process that reaches both checks whether the other one
 * holds the keys, and where it cannot be known the fence in the data decides (ADR 0002).
 */
export class FailoverDriver implements LockDriver {
  readonly isOrdered = false;
  private readonly logger = new Logger(FailoverDriver.name);
  private readonly breaker: CircuitBreaker;
  private timer: NodeJS.Timeout | undefined;
  /** Why the primary failed last. */
  private failure: unknown;

  constructor(
    private readonly primary: LockDriver,
    private readonly fallback: LockDriver,
    private readonly options: FailoverOptions,
    onMove: (to: BreakerState) => void,
  ) {
    this.breaker = new CircuitBreaker(options, (to) => {
      const target = to === 'open' ? `${fallback.name} (${messageOf(this.failure)})` : primary.name;
      this.logger.warn(`lock breaker ${to}: requests go to ${target}`);
      onMove(to);
    });
  }

  get name(): string {
    return this.active().name;
  }

  get drift(): number {
    return this.active().drift;
  }

  async start(signals: LockSignals): Promise<void> {
    await Promise.all([this.primary.start(signals), this.fallback.start(signals)]);
    this.timer = setInterval(() => void this.probe(), this.options.probeEveryMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([this.primary.stop(), this.fallback.stop()]);
  }

  async acquire(request: AcquireRequest): Promise<Granted | Busy> {
    switch (this.breaker.state(performance.now())) {
      case 'closed':
        return this.askPrimary(request);
      case 'returning':
        return this.unlessHeld(this.fallback, request, await this.askPrimary(request));
      case 'open': {
        const reply = await this.fallback.acquire(request);
        return this.breaker.isHealthy ? this.unlessHeld(this.primary, request, reply) : reply;
      }
    }
  }

  renew(holding: Holding, leaseMs: number): Promise<Renewal> {
    return this.active().renew(holding, leaseMs);
  }

  release(holding: Holding): Promise<void> {
    return this.active().release(holding);
  }

  isHeld(keys: readonly string[], heirOf = ''): Promise<boolean> {
    return this.active().isHeld(keys, heirOf);
  }

  list(limit: number): Promise<StoredLock[]> {
    return this.active().list(limit);
  }

  degradation(): string | undefined {
    const state = this.breaker.state(performance.now());
    return state === 'closed'
      ? undefined
      : `${this.primary.name} is away: ${this.active().name} is used (breaker ${state})`;
  }

  private active(): LockDriver {
    return this.breaker.state(performance.now()) === 'open' ? this.fallback : this.primary;
  }

  private async askPrimary(request: AcquireRequest): Promise<Granted | Busy> {
    try {
      const reply = await this.primary.acquire(request);
      this.breaker.succeeded(performance.now());
      return reply;
    } catch (error) {
      this.failure = error;
      this.breaker.failed(error instanceof StoreAwayError);
      throw error;
    }
  }

  /** Takes a grant back while the other store shows the keys as held, by somebody whose heir this is not. */
  private async unlessHeld(other: LockDriver, request: AcquireRequest, reply: Granted | Busy): Promise<Granted | Busy> {
    if (!reply.isGranted) return reply;
    const { keys, owner, heirOf } = request;
    const isHeld = await bounded(other.isHeld(keys, heirOf), CHECK_TIMEOUT_MS).catch(() => false);
    if (!isHeld) return reply;
    await reply.driver.release({ keys, owner, since: 0, token: reply.token });
    return { isGranted: false, since: request.since, retryMs: RECHECK_MS, blocked: keys, driver: reply.driver };
  }

  private async probe(): Promise<void> {
    if (this.breaker.state(performance.now()) !== 'open') return;
    try {
      await bounded(this.primary.isHeld(PROBE_KEYS), this.options.probeEveryMs);
      this.breaker.succeeded(performance.now());
    } catch {
      this.breaker.failed();
    }
  }
}
