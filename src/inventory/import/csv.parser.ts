import { MAX_RECORD_LENGTH, RawRow, RowParser } from './row-parser.js';

type State = 'start' | 'plain' | 'quoted' | 'quote-in-quoted';

/** RFC 4180 with a header: quoted fields, doubled quotes, line breaks inside quotes, CRLF or LF. */
export class CsvParser implements RowParser {
  private state: State = 'start';
  private field = '';
  private fields: string[] = [];
  private length = 0;
  private line = 1;
  private startLine = 1;
  private error: string | undefined;
  private header: readonly string[] | undefined;
  private isFirst = true;

  push(text: string): RawRow[] {
    const rows: RawRow[] = [];
    const given = this.isFirst ? text.replace(/^\uFEFF/, '') : text;
    this.isFirst &&= text === '';
    for (const char of given) this.take(char, rows);
    return rows;
  }

  end(): RawRow[] {
    const rows: RawRow[] = [];
    if (this.state === 'quoted') this.error ??= 'a quote is not closed';
    if (this.length > 0) this.endRecord(rows);
    return rows;
  }

  private take(char: string, rows: RawRow[]): void {
    this.length += 1;
    // Past the bound the quotes cannot be trusted: the record ends with its line, and the next one is read afresh.
    if (this.length > MAX_RECORD_LENGTH) this.error = `longer than ${MAX_RECORD_LENGTH} characters`;
    if (char === '\n' && (this.state !== 'quoted' || this.length > MAX_RECORD_LENGTH)) this.endRecord(rows);
    else if (this.length <= MAX_RECORD_LENGTH) this.takeInside(char);
    if (char === '\n') {
      this.line += 1;
      if (this.length === 0) this.startLine = this.line;
    }
  }

  private takeInside(char: string): void {
    switch (this.state) {
      case 'start':
        if (char === '"') this.state = 'quoted';
        else this.takePlain(char);
        break;
      case 'plain':
        if (char === '"') this.error ??= 'a quote inside a field that is not quoted';
        this.takePlain(char);
        break;
      case 'quoted':
        if (char === '"') this.state = 'quote-in-quoted';
        else this.field += char;
        break;
      case 'quote-in-quoted':
        if (char === '"') {
          this.field += char;
          this.state = 'quoted';
        } else if (char === ',') this.endField();
        else if (char !== '\r') this.error ??= 'text after a closing quote';
        break;
    }
  }

  private takePlain(char: string): void {
    if (char === ',') {
      this.endField();
    } else {
      this.field += char;
      this.state = 'plain';
    }
  }

  private endField(): void {
    this.fields.push(this.field);
    this.field = '';
    this.state = 'start';
  }

  private endRecord(rows: RawRow[]): void {
    if (this.state === 'plain' && this.field.endsWith('\r')) this.field = this.field.slice(0, -1);
    this.endField();
    const { fields, error } = this;
    const isBlank = error === undefined && fields.length === 1 && fields[0]?.trim() === '';
    if (!isBlank) this.emit(fields, error, rows);
    this.fields = [];
    this.error = undefined;
    this.length = 0;
  }

  private emit(fields: readonly string[], error: string | undefined, rows: RawRow[]): void {
    if (!this.header) {
      if (error) throw new Error(`the header cannot be read: ${error}`);
      this.header = headerOf(fields);
      return;
    }
    const { header, startLine: line } = this;
    const value = Object.fromEntries(header.map((name, index) => [name, fields[index] ?? '']));
    if (error !== undefined) rows.push({ line, value: fields.slice(0, header.length), error });
    else if (fields.length === header.length) rows.push({ line, value });
    else rows.push({ line, value: fields, error: `${fields.length} fields, expected ${header.length}` });
  }
}

const REQUIRED = ['sku', 'name', 'unitAmount', 'currency'];
const KNOWN = new Set([...REQUIRED, 'group', 'row', 'number', 'onHand']);

/** A misspelt column would import everything without it, so that the header is right or nothing is read. */
function headerOf(fields: readonly string[]): readonly string[] {
  const header = fields.map((name) => name.trim());
  const missing = REQUIRED.filter((name) => !header.includes(name));
  const unknown = header.filter((name, index) => !KNOWN.has(name) || header.indexOf(name) !== index);
  if (missing.length > 0) throw new Error(`the header lacks ${missing.join(', ')}`);
  if (unknown.length > 0) throw new Error(`the header names ${unknown.join(', ')}, which is unknown or named twice`);
  return header;
}
