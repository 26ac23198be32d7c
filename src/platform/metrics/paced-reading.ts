import { isDoneWithin } from '../../common/deadline.js';
import { messageOf } from '../../common/error-message.js';

/** The shortest time between two readings, however often scrapers come. */
const MIN_PAUSE_MS = 5_000;
/** A reading rests twenty times as long as it took, so that it costs at most a twentieth of one connection. */
const REST_FACTOR = 20;
/** A scrape waits this long for a reading that is under way, then shows the previous one. */
const MAX_WAIT_MS = 2_000;

/** Reads the database for scrapes, at a bounded cost however large the tables are. */
export class PacedReading<T> {
  private value: T | undefined;
  private readAt: number | undefined;
  private nextAt = 0;
  private underWay: Promise<void> | undefined;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly onFailure: (reason: string) => void,
  ) {}

  /** Seconds since the value was read, or undefined before the first. */
  get ageSeconds(): number | undefined {
    return this.readAt === undefined ? undefined : (performance.now() - this.readAt) / 1_000;
  }

  async latest(): Promise<T | undefined> {
    if (performance.now() >= this.nextAt) this.underWay ??= this.refresh();
    if (this.underWay) await isDoneWithin(MAX_WAIT_MS, this.underWay);
    return this.value;
  }

  private async refresh(): Promise<void> {
    const startedAt = performance.now();
    try {
      this.value = await this.read();
      this.readAt = startedAt;
    } catch (error) {
      this.onFailure(messageOf(error));
    } finally {
      const now = performance.now();
      this.nextAt = now + Math.max(MIN_PAUSE_MS, (now - startedAt) * REST_FACTOR);
      this.underWay = undefined;
    }
  }
}
