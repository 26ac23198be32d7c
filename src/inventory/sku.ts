export interface Sku {
  readonly sku: string;
  readonly name: string;
  readonly unitAmount: number;
  readonly currency: string;
  readonly group: string | null;
  readonly onHand: number;
  readonly reserved: number;
  /** Counts changes of the catalogue data. Stock has its own guards: a busy SKU could otherwise never be edited. */
  readonly version: number;
}

export interface SkuData {
  readonly sku: string;
  readonly name: string;
  readonly unitAmount: number;
  readonly currency: string;
  readonly group: string | null;
  /** Only sets the stock of a new SKU. */
  readonly onHand: number;
}
