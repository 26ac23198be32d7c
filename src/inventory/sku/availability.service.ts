import { Injectable } from '@nestjs/common';
import { Batcher } from '../../common/batcher.js';
import { SnapshotCache } from '../../common/snapshot-cache.js';
import { isUnavailable } from '../../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { GroupSnapshot } from './group-snapshot.js';
import { SkuCache } from './sku-cache.js';
import type { Sku } from './sku.js';
import { SkuRepository } from './sku.repository.js';

/** Read once a second, and twice a second while this instance sells. */
const FRESHNESS = { maxAgeMs: 1_000, touchedAgeMs: 250, crowdPerSecond: 20 };
const MAX_GROUPS = 64;
const MAX_SKUS = 10_000;
/** A larger group is paged through the database. */
const MAX_GROUP_SKUS = 10_000;
const LOOK_UPS = { maxBatch: 500, maxInFlight: 1, isShared: isUnavailable };

/**
 * What can be had, for crowds: a group is read once or twice a second whatever the number of its readers. Correct within a
 * second, and never the basis of a promise: the hold decides.
 */
@Injectable()
export class Availability {
  private readonly groups = new SnapshotCache<GroupSnapshot | undefined>((group) => this.readGroup(group), {
    ...FRESHNESS,
    maxKeys: MAX_GROUPS,
  });
  private readonly skus = new SnapshotCache<Sku | undefined>((sku) => this.lookUps.run(sku), {
    ...FRESHNESS,
    maxKeys: MAX_SKUS,
  });
  private readonly lookUps = new Batcher<string, Sku | undefined>((names) => this.lookUp(names), LOOK_UPS);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: SkuRepository,
    changes: SkuCache,
  ) {
    changes.onChange((skus, groups) => this.touch(skus, groups));
  }

  sku(name: string): Promise<Sku | undefined> {
    return this.skus.get(name);
  }

  /** Undefined where the group is too large to be kept. */
  group(name: string): Promise<GroupSnapshot | undefined> {
    return this.groups.get(name);
  }

  /** The same, as old as it may be: for whoever looks again and again. */
  groupLately(name: string): Promise<GroupSnapshot | undefined> {
    return this.groups.get(name, true);
  }

  /** Read no earlier than now: for whoever chooses from it. */
  async groupNow(name: string): Promise<readonly Sku[]> {
    const snapshot = await this.groups.getSince(name, performance.now());
    return snapshot?.skus ?? [];
  }

  /** As if nothing had been read yet. */
  clear(): void {
    this.groups.clear();
    this.skus.clear();
  }

  private touch(skus: readonly string[], groups: readonly string[]): void {
    for (const sku of skus) this.skus.touch(sku);
    for (const group of groups) this.groups.touch(group);
    for (const [group, snapshot] of this.groups.kept()) {
      if (snapshot && skus.some((sku) => snapshot.has(sku))) this.groups.touch(group);
    }
  }

  private async readGroup(group: string): Promise<GroupSnapshot | undefined> {
    const filter = { group, isAvailable: false, after: '', limit: MAX_GROUP_SKUS + 1 };
    const skus = await this.repository.list(this.transactions, filter);
    return skus.length > MAX_GROUP_SKUS ? undefined : new GroupSnapshot(skus);
  }

  private async lookUp(names: readonly string[]): Promise<(Sku | undefined)[]> {
    const found = await this.repository.find(this.transactions, [...new Set(names)]);
    return names.map((name) => found.get(name));
  }
}
