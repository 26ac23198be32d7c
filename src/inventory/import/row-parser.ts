/** A record of the file as it was read, or why it could not be. Lines count from 1; a quoted field may span several. */
export type RawRow =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly value: unknown; readonly error: string };

/** Fed with pieces of text of any length; keeps at most one unfinished record. */
export interface RowParser {
  push(text: string): RawRow[];
  end(): RawRow[];
}

/** A record that is longer is not a SKU: without a bound, one missing quote would read the whole file into memory. */
export const MAX_RECORD_LENGTH = 65_536;
