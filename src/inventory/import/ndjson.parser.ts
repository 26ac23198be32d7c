import { MAX_RECORD_LENGTH, RawRow, RowParser } from './row-parser.js';

/** One JSON value per line; blank lines are skipped. */
export class NdjsonParser implements RowParser {
  private line = 0;
  private rest = '';
  private isTooLong = false;

  push(text: string): RawRow[] {
    const rows: RawRow[] = [];
    const parts = (this.rest + text).split('\n');
    this.rest = parts.pop() ?? '';
    for (const part of parts) this.take(part, rows);
    if (this.rest.length > MAX_RECORD_LENGTH) {
      this.isTooLong = true;
      this.rest = '';
    }
    return rows;
  }

  end(): RawRow[] {
    const rows: RawRow[] = [];
    if (this.rest !== '' || this.isTooLong) this.take(this.rest, rows);
    this.rest = '';
    return rows;
  }

  private take(part: string, rows: RawRow[]): void {
    this.line += 1;
    const text = (this.line === 1 ? part.replace(/^\uFEFF/, '') : part).trim();
    if (this.isTooLong || text.length > MAX_RECORD_LENGTH) {
      this.isTooLong = false;
      rows.push({ line: this.line, value: null, error: `longer than ${MAX_RECORD_LENGTH} characters` });
    } else if (text !== '') {
      rows.push(parse(this.line, text));
    }
  }
}

function parse(line: number, text: string): RawRow {
  try {
    return { line, value: JSON.parse(text) as unknown };
  } catch {
    return { line, value: text, error: 'not valid JSON' };
  }
}
