import { Injectable } from '@nestjs/common';
import type { Sku } from './sku.js';

/** How many times what is wanted must have been there: near the end of a stock it is cheaper to look than to fail. */
const MARGIN = 2;
const MAX_SKUS = 100_000;

/** SKUs as this instance last saw them: good enough for an optimistic attempt, never for a promise. */
@Injectable()
export class SkuCache {
  private readonly catalogue = new Map<string, Sku>();
  private readonly available = new Map<string, number>();

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
