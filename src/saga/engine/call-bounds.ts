import type { Lease } from '../../lock/lease.js';
import { OutcomeUnknownError } from '../saga.errors.js';

/**
 * Bounds the calls of a group by the step's timeout and the locks' lease, whichever ends first. Not by
 * AbortSignal.timeout, whose timer would fire for every group, long after its calls were answered.
 */
export class CallBounds {
  private readonly controller = new AbortController();
  private readonly waiting = new Set<(error: Error) => void>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    readonly lease: Lease | undefined,
    timeoutMs: number,
  ) {
    this.timer = setTimeout(this.expire, timeoutMs);
    if (lease?.signal.aborted) this.expire();
    else lease?.signal.addEventListener('abort', this.expire, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Settles with the call or with its bounds. A call that ignores its signal is left to itself. */
  within<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      if (this.signal.aborted) reject(noAnswer());
      call.then(resolve, reject).finally(() => this.waiting.delete(reject));
    });
  }

  /** All calls are answered. */
  end(): void {
    clearTimeout(this.timer);
    this.lease?.signal.removeEventListener('abort', this.expire);
  }

  private readonly expire = (): void => {
    this.controller.abort();
    for (const reject of this.waiting) reject(noAnswer());
  };
}

function noAnswer(): OutcomeUnknownError {
  return new OutcomeUnknownError('no answer in time');
}
