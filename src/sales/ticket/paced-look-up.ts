import { DomainError } from '../../common/domain-error.js';

export interface PacedLookUpOptions {
  /** Two looks begin at least so far apart. */
  readonly everyMs: number;
  readonly maxBatch: number;
  /** Who comes while so many wait is refused. */
  readonly maxWaiting: number;
}

interface Waiter<V> {
  readonly id: string;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Looks things up by id, many at once and not too often: a crowd that comes back together asks the database a few times. */
export class PacedLookUp<V> {
  private waiting: Waiter<V>[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lastAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly find: (ids: readonly string[]) => Promise<ReadonlyMap<string, V>>,
    private readonly options: PacedLookUpOptions,
  ) {}

  run(id: string): Promise<V | undefined> {
    if (this.waiting.length >= this.options.maxWaiting) {
      const detail = 'Too many ask at once, try again shortly';
      return Promise.reject(new DomainError('DEPENDENCY_UNAVAILABLE', detail, { retryAfter: 2 }));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ id, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.timer || this.waiting.length === 0) return;
    const rest = Math.max(0, this.lastAt + this.options.everyMs - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.look();
    }, rest).unref();
  }

  private async look(): Promise<void> {
    this.lastAt = performance.now();
    const batch = this.waiting.splice(0, this.options.maxBatch);
    this.schedule();
    try {
      const found = await this.find([...new Set(batch.map(({ id }) => id))]);
      for (const { id, resolve } of batch) resolve(found.get(id));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
