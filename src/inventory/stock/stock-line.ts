export interface StockLine {
  readonly sku: string;
  readonly quantity: number;
}

export interface Shortage {
  readonly sku: string;
  readonly requested: number;
  readonly available: number;
}

/** Two lines of one SKU share the stock: they must not each be compared with all of it. */
export function mergeQuantities(lines: readonly StockLine[]): Map<string, number> {
  const quantities = new Map<string, number>();
  for (const { sku, quantity } of lines) quantities.set(sku, (quantities.get(sku) ?? 0) + quantity);
  return quantities;
}
