import { decodeRecord } from '../consensus/lock-record.js';
import type { StoreClock } from '../consensus/store-clock.js';
import { getChildren, getData, remove } from './zookeeper-messages.js';
import { RECORD_PARENTS } from './zookeeper-names.js';
import type { ZookeeperSession } from './zookeeper-session.js';

/** As long as the other stores keep the last token of a key that nobody uses. */
const RETENTION_MS = 300_000;
const EVERY_MS = 20_000;

/**
 * Deletes records that nobody has used for minutes, one parent at a time: ZooKeeper keeps a node until somebody deletes
 * it, and payment locks are one key per order. A record that is used meanwhile has another version and stays.
 */
export class ZookeeperSweep {
  private timer: NodeJS.Timeout | undefined;
  private next = Math.floor(Math.random() * RECORD_PARENTS.length);

  constructor(
    private readonly session: ZookeeperSession,
    private readonly clock: StoreClock,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.run().catch(() => undefined), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async run(): Promise<void> {
    const parent = RECORD_PARENTS[this.next % RECORD_PARENTS.length] ?? '';
    this.next += 1;
    for (const name of await this.session.request(getChildren(parent))) await this.look(`${parent}/${name}`);
  }

  private async look(path: string): Promise<void> {
    try {
      const { data, stat } = await this.session.request(getData(path));
      const record = decodeRecord(data);
      const keptMs = RETENTION_MS + (record.state === 'free' ? 0 : record.leaseMs);
      if (this.clock.nowUs() / 1_000 - stat.modifiedMs < keptMs) return;
      await this.session.request(remove(path, stat.version));
    } catch {
      // used or deleted by somebody else meanwhile
    }
  }
}
