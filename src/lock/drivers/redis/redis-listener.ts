import type { RedisClient } from '../../../platform/redis/redis-client.js';
import type { LockSignals } from '../../lock-driver.js';
import { CHANNEL_PREFIX } from './redis-names.js';

/**
 * The wake-up channel of this process. After every (re)connect all waiters look again: what was published while the
 * connection was away is lost, and the poll would find it only later.
 */
export class RedisListener {
  private isStopped = false;

  constructor(
    private readonly subscriber: RedisClient,
    private readonly processId: string,
  ) {}

  start(signals: LockSignals): void {
    this.subscriber.on('message', (_channel: string, message: string) => {
      if (message.startsWith('!')) signals.contend(message.slice(1));
      else signals.wake(message);
    });
    const subscribe = () => {
      if (this.isStopped) return;
      this.subscriber.subscribe(CHANNEL_PREFIX + this.processId).then(
        () => signals.wake(),
        () => undefined, // the connection is gone again: its next 'ready' subscribes anew
      );
    };
    this.subscriber.on('ready', subscribe);
    if (this.subscriber.status === 'ready') subscribe();
  }

  stop(): void {
    this.isStopped = true;
    this.subscriber.disconnect();
  }
}
