import { Injectable } from '@nestjs/common';

/** How many times what is wanted must have been there: near the end of a stock it is cheaper to look than to fail. */
const MARGIN = 2;
const MAX_SKUS = 100_000;

/** What was available when this instance last saw it: enough to hope for it, never to promise it. */
@Injectable()
export class StockHints {
  private readonly available = new Map<string, number>();

  see(sku: string, available: number): void {
    if (this.available.size >= MAX_SKUS) this.available.clear();
    this.available.set(sku, available);
  }

  /** Whether there is so much of everything that nobody has to look first. */
  isPlenty(wanted: ReadonlyMap<string, number>): boolean {
    for (const [sku, quantity] of wanted) if ((this.available.get(sku) ?? 0) < quantity * MARGIN) return false;
    return true;
  }
}
