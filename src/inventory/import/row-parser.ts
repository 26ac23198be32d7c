/** A record of the file, or the reason why it could not be read. Lines count from 1; a quoted field may span several. */
export type RawRow =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly value: unknown; readonly error: string };

/** Takes pieces of text of any length; keeps at most one unfinished record. */
export interface RowParser {
  push(text: string): RawRow[];
  end(): RawRow[];
}

/** A longer record is not a SKU. Without a bound, one missing quote would read the whole file into memory. */
export const MAX_RECORD_LENGTH = 65_536;

export const TOO_LONG = `longer than ${MAX_RECORD_LENGTH} characters`;
