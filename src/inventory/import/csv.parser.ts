import { CsvError, parse } from 'csv-parse/sync';
import { Line, LineSplitter } from './line-splitter.js';
import { MAX_RECORD_LENGTH, RawRow, RowParser, TOO_LONG } from './row-parser.js';

const NOT_CLOSED = 'a quote is not closed';
const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: NOT_CLOSED,
  CSV_INVALID_CLOSING_QUOTE: 'text after a closing quote',
  INVALID_OPENING_QUOTE: 'a quote inside a field that is not quoted',
};

type Fields = readonly string[];

/**
 * RFC 4180 with a header. csv-parse reads one record at a time, and this class only finds where a record ends: at the
 * line break behind an even number of quotes. csv-parse's own stream cannot be used, because after a misplaced quote it
 * treats the following records as part of the broken one, up to the end of the file.
 */
export class CsvParser implements RowParser {
  private readonly lines = new LineSplitter();
  private header: Fields | undefined;
  /** The lines of a record whose last quote is still open. */
  private open: { readonly line: number; text: string } | undefined;

  push(text: string): RawRow[] {
    return this.lines.push(text).flatMap((line) => this.take(line));
  }

  end(): RawRow[] {
    const rows = this.lines.end().flatMap((line) => this.take(line));
    return this.open ? [...rows, ...this.refuse(this.open.line, NOT_CLOSED)] : rows;
  }

  private take({ number, text }: Line): RawRow[] {
    const record = this.open ?? { line: number, text: '' };
    const isFirstLine = this.open === undefined;
    this.open = undefined;
    if (text === undefined) return this.refuse(record.line, TOO_LONG);
    record.text = isFirstLine ? text : `${record.text}\n${text}`;
    if (record.text.length > MAX_RECORD_LENGTH) return this.refuse(record.line, TOO_LONG);
    if (!isOpen(record.text)) return this.read(record.line, record.text.replace(/\r$/, ''));
    // An odd number of quotes: either the record goes on in the next line, or one of its quotes is misplaced.
    const error = isFirstLine ? errorIn(record.text) : NOT_CLOSED;
    if (error !== NOT_CLOSED) return this.refuse(record.line, error);
    this.open = record;
    return [];
  }

  private read(line: number, text: string): RawRow[] {
    if (text.trim() === '') return [];
    const fields = fieldsOf(text);
    if (typeof fields === 'string') return this.refuse(line, fields);
    if (!this.header) {
      this.header = headerOf(fields);
      return [];
    }
    const expected = this.header.length;
    if (fields.length !== expected) {
      return [{ line, value: fields, error: `${fields.length} fields, expected ${expected}` }];
    }
    return [{ line, value: Object.fromEntries(this.header.map((name, index) => [name, fields[index]])) }];
  }

  private refuse(line: number, error: string): RawRow[] {
    if (!this.header) throw new Error(`the header cannot be read: ${error}`);
    return [{ line, value: null, error }];
  }
}

function isOpen(text: string): boolean {
  let quotes = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) quotes += 1;
  return quotes % 2 === 1;
}

/** The fields of one record, or the reason why they cannot be read. */
function fieldsOf(text: string): Fields | string {
  if (!text.includes('"')) return text.split(',');
  try {
    const [fields] = parse(text, { record_delimiter: '\n' });
    return fields ?? [];
  } catch (error) {
    if (error instanceof CsvError) return REASONS[error.code] ?? error.message;
    throw error;
  }
}

function errorIn(text: string): string {
  const fields = fieldsOf(text);
  return typeof fields === 'string' ? fields : NOT_CLOSED;
}

const REQUIRED = ['sku', 'name', 'unitAmount', 'currency'];
const KNOWN = new Set([...REQUIRED, 'group', 'row', 'number', 'maxPerCustomer', 'onHand']);

/** A misspelt column would import every row without it, so nothing is read unless the header is right. */
function headerOf(fields: Fields): Fields {
  const header = fields.map((name) => name.trim());
  const missing = REQUIRED.filter((name) => !header.includes(name));
  const unknown = header.filter((name, index) => !KNOWN.has(name) || header.indexOf(name) !== index);
  if (missing.length > 0) throw new Error(`the header lacks ${missing.join(', ')}`);
  if (unknown.length > 0) throw new Error(`the header names ${unknown.join(', ')}, which is unknown or named twice`);
  return header;
}
