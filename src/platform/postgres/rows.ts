import { expectingRows, Statement, statement } from './statement.js';
import { elementToWire } from './wire-value.js';

/** `jsonl` is text: the JSON of every element of a list, each on a line of its own. */
export type ColumnType =
  'uuid' | 'text' | 'int' | 'bigint' | 'float8' | 'boolean' | 'timestamptz' | 'json' | 'jsonb' | 'jsonl';

/** The types of the members that the statement uses. */
export type ColumnTypes<R> = Readonly<Partial<Record<keyof R & string, ColumnType>>>;

/** A statement over a list of rows, which are sent column by column. */
export interface RowsStatement<R> extends Statement {
  params(rows: readonly R[]): unknown[];
}

/** `text` gets a FROM item named `given` with these columns. */
export function overRows<R>(name: string, columns: ColumnTypes<R>, text: (given: string) => string): RowsStatement<R> {
  const { given, params } = columnsOf(columns);
  return { ...statement(name, text(given)), params };
}

/** The same, but the transaction fails unless the statement touches as many rows as were given. */
export function overEveryRow<R>(
  name: string,
  columns: ColumnTypes<R>,
  text: (given: string) => string,
): RowsStatement<R> {
  const { given, params } = columnsOf(columns);
  const count = `$${Object.keys(columns).length + 1}` as const;
  return { ...expectingRows(name, count, text(given)), params: (rows) => [...params(rows), rows.length] };
}

function columnsOf<R>(columns: ColumnTypes<R>) {
  const entries = Object.entries(columns) as [keyof R & string, ColumnType][];
  const arrays = entries.map(([, type], index) => arrayOf(`$${index + 1}`, type)).join(', ');
  const names = entries.map(([name]) => `"${name}"`).join(', ');
  return {
    given: `unnest(${arrays}) AS given (${names})`,
    params: (rows: readonly R[]): unknown[] => entries.map(([name, type]) => columnToWire(rows, name, type)),
  };
}

/**
 * JSON values are joined by a character that JSON never contains. In an array, every quote in them would have to be
 * escaped again.
 */
const SEPARATOR = '\x1E';

function arrayOf(param: string, type: ColumnType): string {
  const split = `string_to_array(${param}, '${SEPARATOR}', '')`;
  if (type === 'jsonl') return split;
  return isJson(type) ? `${split}::${type}[]` : `${param}::${type}[]`;
}

function isJson(type: ColumnType): boolean {
  return type === 'json' || type === 'jsonb';
}

function columnToWire<R>(rows: readonly R[], name: keyof R, type: ColumnType): string {
  if (type === 'jsonl') return joined(rows, name, SEPARATOR, toLines);
  if (isJson(type)) return joined(rows, name, SEPARATOR, toJson);
  return `{${joined(rows, name, ',', elementToWire)}}`;
}

/** In one pass without intermediate arrays, because every row of every batch passes here once per column. */
function joined<R>(rows: readonly R[], name: keyof R, separator: string, toText: (value: unknown) => string): string {
  let text = '';
  let isFirst = true;
  for (const row of rows) {
    if (!isFirst) text += separator;
    isFirst = false;
    text += toText(row[name]);
  }
  return text;
}

function toJson(value: unknown): string {
  return value == null ? '' : JSON.stringify(value);
}

function toLines(list: unknown): string {
  let text = '';
  for (const entry of list as readonly unknown[]) text += `${JSON.stringify(entry)}\n`;
  return text;
}
