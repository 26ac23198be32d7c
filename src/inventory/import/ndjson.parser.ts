import { Line, LineSplitter } from './line-splitter.js';
import { RawRow, RowParser, TOO_LONG } from './row-parser.js';

/** One JSON value per line; blank lines are skipped. */
export class NdjsonParser implements RowParser {
  private readonly lines = new LineSplitter();

  push(text: string): RawRow[] {
    return this.lines.push(text).flatMap(rowsOf);
  }

  end(): RawRow[] {
    return this.lines.end().flatMap(rowsOf);
  }
}

function rowsOf({ number: line, text }: Line): RawRow[] {
  if (text === undefined) return [{ line, value: null, error: TOO_LONG }];
  if (text.trim() === '') return [];
  try {
    return [{ line, value: JSON.parse(text) as unknown }];
  } catch {
    return [{ line, value: text.trim(), error: 'not valid JSON' }];
  }
}
