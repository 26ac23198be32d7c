export interface Sku {
  readonly sku: string;
  readonly name: string;
  readonly unitAmount: number;
  readonly currency: string;
  readonly group: string | null;
  /** Of a seat: its row and its number within the row. Seats with adjacent numbers are side by side. */
  readonly row: string | null;
  readonly number: number | null;
  /** How many one customer may have, over all orders that are held or confirmed. */
  readonly maxPerCustomer: number | null;
  readonly onHand: number;
  readonly reserved: number;
  /** Counts changes of the catalogue data. Stock has its own guards: a busy SKU could otherwise never be edited. */
  readonly version: number;
}

/** The input: `onHand` only sets the stock of a new SKU. */
export type SkuData = Omit<Sku, 'reserved' | 'version'>;
