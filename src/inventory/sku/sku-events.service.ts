import { BeforeApplicationShutdown, Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { DomainError } from '../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { EventStream, toMessage } from '../../platform/http/event-stream.js';
import { nameOf, type StreamCaller, StreamLimiter } from '../../platform/http/limits/stream-limiter.js';
import type { Loop } from '../../platform/loops/loop.js';
import { Loops } from '../../platform/loops/loops.js';
import { Draining } from '../../platform/shutdown/draining.js';
import { Availability } from './availability.service.js';
import type { GroupSnapshot } from './group-snapshot.js';
import { toSkuResponse } from './sku.dto.js';

/** How often the snapshots are compared. They are read once a second: this only bounds how much later streams hear. */
const POLL_MS = 200;
/** Snapshots that a client may come back with. */
const MAX_HISTORY = 30;

interface Watch {
  readonly streams: Set<EventStream>;
  /** Oldest first; the last one is what the streams have been sent. */
  readonly history: GroupSnapshot[];
  /** The last of them as a message, once somebody has begun with it. */
  state: { readonly of: GroupSnapshot; readonly message: Buffer } | undefined;
}

/** Streams of what changes in a group: a comparison of the snapshots that its readers share, made once for all streams. */
@Injectable()
export class SkuEventsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly watches = new Map<string, Watch>();
  private isStopping = false;
  private readonly polling: Loop;
  private readonly heartbeat: Loop;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly availability: Availability,
    private readonly limiter: StreamLimiter,
    private readonly draining: Draining,
    loops: Loops,
  ) {
    const { heartbeatMs } = config.eventStream;
    this.polling = loops.create({
      name: 'sku-events',
      pace: { minMs: POLL_MS, maxMs: POLL_MS },
      round: () => this.poll(),
    });
    this.heartbeat = loops.create({
      name: 'sku-event-heartbeat',
      pace: { firstMs: heartbeatMs, minMs: heartbeatMs, maxMs: heartbeatMs },
      round: () => this.beat(),
    });
  }

  onApplicationBootstrap(): void {
    this.polling.start();
    this.heartbeat.start();
    this.draining.isClosing.addEventListener('abort', () => this.endAll(), { once: true });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.endAll();
    await Promise.all([this.polling.stop(), this.heartbeat.stop()]);
  }

  async follow(group: string, caller: StreamCaller, lastEventId: string | undefined): Promise<Readable> {
    if (this.isStopping) throw this.limiter.unavailable();
    const giveBack = this.limiter.admitToCrowd(`group|${group}`, nameOf(caller));
    try {
      return this.open(group, lastEventId, await this.snapshotOf(group), giveBack);
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  private open(group: string, lastEventId: string | undefined, now: GroupSnapshot, giveBack: () => void): Readable {
    const watch: Watch = this.watches.get(group) ?? { streams: new Set(), history: [now], state: undefined };
    this.watches.set(group, watch);
    const stream: EventStream = new EventStream(() => {
      giveBack();
      watch.streams.delete(stream);
      if (watch.streams.size === 0 && this.watches.get(group) === watch) this.watches.delete(group);
    });
    // From what all streams have been sent, so that the next comparison is right for this one as well.
    const sent = watch.history.at(-1) ?? now;
    const seen = watch.history.find(({ name }) => name === lastEventId);
    if (!seen) stream.begin(stateMessage(watch, sent));
    else if (seen !== sent) stream.send(changeMessage(seen, sent));
    watch.streams.add(stream);
    return stream.body;
  }

  private async snapshotOf(group: string): Promise<GroupSnapshot> {
    const snapshot = await this.availability.groupLately(group);
    if (snapshot) return snapshot;
    throw new DomainError('INVALID_STATE', 'The group is too large to be followed');
  }

  private async poll(): Promise<void> {
    await Promise.all([...this.watches].map(([group, watch]) => this.compare(group, watch)));
  }

  private async compare(group: string, watch: Watch): Promise<void> {
    const now = await this.availability.groupLately(group);
    const before = watch.history.at(-1);
    if (!now || !before || now === before || now.name === before.name) return;
    const message = changeMessage(before, now);
    watch.history.push(now);
    if (watch.history.length > MAX_HISTORY) watch.history.shift();
    for (const stream of watch.streams) stream.send(message);
  }

  private beat(): void {
    for (const { streams } of this.watches.values()) for (const stream of streams) stream.beat();
  }

  private endAll(): void {
    this.isStopping = true;
    for (const { streams } of this.watches.values()) for (const stream of streams) stream.end();
  }
}

function stateMessage(watch: Watch, now: GroupSnapshot): Buffer {
  if (watch.state?.of !== now) {
    const text = toMessage('skus.state', { items: now.skus.map(toSkuResponse) }, now.name);
    watch.state = { of: now, message: Buffer.from(text) };
  }
  return watch.state.message;
}

function changeMessage(before: GroupSnapshot, now: GroupSnapshot): Buffer {
  const { items, removed } = now.since(before);
  const data = { items: items.map(toSkuResponse), ...(removed.length > 0 && { removed }) };
  return Buffer.from(toMessage('skus.changed', data, now.name));
}
