import { expectingRows, Statement, statement } from './statement.js';

/** `jsonl` is text: the JSON of every element of a list, each on a line of its own. */
export type ColumnType =
  'uuid' | 'text' | 'int' | 'bigint' | 'float8' | 'boolean' | 'timestamptz' | 'json' | 'jsonb' | 'jsonl';

/** The types of the members that the statement uses. */
export type ColumnTypes<R> = Readonly<Partial<Record<keyof R & string, ColumnType>>>;

/** A statement over a list of rows, which are sent column by column. */
export interface RowsStatement<R> extends Statement {
  /** The statement and its parameters. For a single row it is another one, which costs the server a tenth less. */
  readonly over: (rows: readonly R[]) => readonly [Statement, unknown[]];
  /** Of contended rows: transactions that touch several kinds of them do so in this order. See `Tx.gatherLast`. */
  readonly lockOrder?: number;
}

/** `text` gets a FROM item named `given` with these columns. */
export function overRows<R>(name: string, columns: ColumnTypes<R>, text: (given: string) => string): RowsStatement<R> {
  return overGiven(name, columns, (variant, given) => statement(variant, text(given)));
}

/** The same, but the transaction fails unless the statement touches as many rows as were given. */
export function overEveryRow<R>(
  name: string,
  columns: ColumnTypes<R>,
  text: (given: string) => string,
): RowsStatement<R> {
  const count = `$${Object.keys(columns).length + 1}` as const;
  const { over, ...many } = overGiven(name, columns, (variant, given) => expectingRows(variant, count, text(given)));
  return {
    ...many,
    over: (rows) => {
      const [chosen, params] = over(rows);
      return [chosen, [...params, rows.length]];
    },
  };
}

function overGiven<R>(
  name: string,
  columns: ColumnTypes<R>,
  toStatement: (variant: string, given: string) => Statement,
): RowsStatement<R> {
  const entries = Object.entries(columns) as [keyof R & string, ColumnType][];
  const wires = entries.map(([column, type]) => ({ column, ...wireOf(type) }));
  const many = toStatement(name, listOf(entries));
  const one = toStatement(`${name}-one`, rowOf(entries));
  return {
    ...many,
    over: (rows) => {
      const only = rows.length === 1 ? rows[0] : undefined;
      if (only == null) return [many, wires.map((wire) => columnOf(wire, rows))];
      return [one, wires.map(({ column, toValue }) => toValue(only[column]))];
    },
  };
}

function listOf(entries: readonly [string, ColumnType][]): string {
  const arrays = entries.map(([, type], index) => arrayOf(`$${index + 1}`, type)).join(', ');
  return `unnest(${arrays}) AS given (${entries.map(([column]) => `"${column}"`).join(', ')})`;
}

function rowOf(entries: readonly [string, ColumnType][]): string {
  const values = entries.map(([column, type], index) => `$${index + 1}::${scalarOf(type)} AS "${column}"`);
  return `(SELECT ${values.join(', ')}) AS given`;
}

/** In one pass without intermediate arrays, because every row of every batch passes here once per column. */
function columnOf<R>({ column, separator, toText }: Wire & { column: keyof R }, rows: readonly R[]): string {
  let text = '';
  let before = '';
  for (const row of rows) {
    text += before + toText(row[column]);
    before = separator;
  }
  return separator === ',' ? `{${text}}` : text;
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

function scalarOf(type: ColumnType): string {
  return type === 'jsonl' ? 'text' : type;
}

function isJson(type: ColumnType): boolean {
  return type === 'json' || type === 'jsonb';
}

/** How the values of a column travel: decided once per statement, not once per row. */
interface Wire {
  /** Between the values of several rows. */
  readonly separator: string;
  readonly toText: (value: unknown) => string;
  /** The value of a single row. */
  readonly toValue: (value: unknown) => unknown;
}

function wireOf(type: ColumnType): Wire {
  if (type !== 'jsonl' && !isJson(type)) return { separator: ',', toText: elementToWire, toValue: (value) => value };
  const toText = type === 'jsonl' ? toLines : toJson;
  return { separator: SEPARATOR, toText, toValue: (value) => toText(value) || null };
}

function toJson(value: unknown): string {
  return value == null ? '' : JSON.stringify(value);
}

function toLines(list: unknown): string {
  let text = '';
  for (const entry of list as readonly unknown[]) text += `${JSON.stringify(entry)}\n`;
  return text;
}

/** A parameter as PostgreSQL reads it: text, or bytes as they are. */
export function toWire(value: unknown): string | Buffer | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'undefined':
      return null;
    case 'object':
      if (value === null || Buffer.isBuffer(value)) return value;
      if (value instanceof Date) return value.toISOString();
      if (Array.isArray(value)) return `{${value.map(elementToWire).join(',')}}`;
      throw new TypeError('an object cannot be a parameter: say JSON.stringify where JSON is meant');
    case 'symbol':
    case 'function':
      throw new TypeError(`a ${typeof value} cannot be a parameter`);
  }
}

const NEEDS_ESCAPE = /["\\]/;

/** The same inside an array. */
export function elementToWire(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = toWire(value);
  if (text === null) return 'NULL';
  if (typeof text !== 'string') return `"\\\\x${text.toString('hex')}"`;
  return NEEDS_ESCAPE.test(text) ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : `"${text}"`;
}
