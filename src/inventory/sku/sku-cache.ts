import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import type { Sku } from './sku.js';

export type ChangeListener = (skus: readonly string[], groups: readonly string[]) => void;

/** How many times what is wanted must have been there: near the end of a stock it is cheaper to look than to fail. */
const MARGIN = 2;
const MAX_SKUS = 100_000;

/** SKUs as this instance last saw them: good enough for an optimistic attempt, never for a promise. */
@Injectable()
export class SkuCache {
  private readonly catalogue = new Map<string, Sku>();
  private readonly available = new Map<string, number>();

  private readonly listeners = new Set<ChangeListener>();

  /** Whoever keeps what it has read hears which SKUs this instance has changed since, and the groups that got new ones. */
  onChange(listener: ChangeListener): void {
    this.listeners.add(listener);
  }

  changeOnCommit(tx: Tx, skus: readonly string[], groups: readonly string[] = []): void {
    if (skus.length === 0) return;
    tx.onCommit(() => {
      for (const listener of this.listeners) listener(skus, groups);
    });
  }

  see(sku: Sku): void {
    if (this.catalogue.size >= MAX_SKUS) this.catalogue.clear();
    this.catalogue.set(sku.sku, sku);
    this.seeStock(sku.sku, sku.onHand - sku.reserved);
  }

  seeStock(sku: string, available: number): void {
    if (this.available.size >= MAX_SKUS) this.available.clear();
    this.available.set(sku, available);
  }

  /** Units that an optimistic attempt uses are no longer counted as available. */
  take(wanted: ReadonlyMap<string, number>): void {
    for (const [sku, quantity] of wanted) this.available.set(sku, (this.available.get(sku) ?? 0) - quantity);
  }

  /** Whether there is so much of everything that nobody has to look first. */
  isPlenty(wanted: ReadonlyMap<string, number>): boolean {
    for (const [sku, quantity] of wanted) if ((this.available.get(sku) ?? 0) < quantity * MARGIN) return false;
    return true;
  }

  clear(): void {
    this.catalogue.clear();
    this.available.clear();
  }

  /** All of them, or undefined if one was never seen. */
  find(skus: readonly string[]): ReadonlyMap<string, Sku> | undefined {
    const found = new Map<string, Sku>();
    for (const name of skus) {
      const sku = this.catalogue.get(name);
      if (!sku) return undefined;
      found.set(name, sku);
    }
    return found;
  }
}
