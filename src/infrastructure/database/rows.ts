import { expectingRows, Statement, statement } from './statement.js';

/** `jsonl` is text: the JSON of every element of a list, each on a line of its own. */
type ColumnType =
  'uuid' | 'text' | 'int' | 'bigint' | 'float8' | 'boolean' | 'timestamptz' | 'json' | 'jsonb' | 'jsonl';

/** The type of every member of a row that the statement is to see. */
export type ColumnTypes<R> = Readonly<Partial<Record<keyof R & string, ColumnType>>>;

/** A statement over a list of rows, which go over column by column. */
export interface RowsStatement<R> extends Statement {
  params(rows: readonly R[]): unknown[];
}

/** Makes the statement from `given`, which it selects from: a table of that name with the columns. */
export function overRows<R>(name: string, columns: ColumnTypes<R>, text: (given: string) => string): RowsStatement<R> {
  const { given, params } = columnsOf(columns);
  return { ...statement(name, text(given)), params };
}

/** The same, and the transaction fails unless as many rows are touched as were given. */
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
    params: (rows: readonly R[]): unknown[] =>
      entries.map(([name, type]) =>
        toParam(
          rows.map((row) => row[name]),
          type,
        ),
      ),
  };
}

function arrayOf(param: string, type: ColumnType): string {
  const split = `string_to_array(${param}, E'\\x1e', '')`;
  if (type === 'jsonl') return split;
  return type === 'json' || type === 'jsonb' ? `${split}::${type}[]` : `${param}::${type}[]`;
}

/** JSON is joined by a character that it never contains: in an array every quote of it would have to be escaped again. */
function toParam(values: readonly unknown[], type: ColumnType): unknown {
  switch (type) {
    case 'json':
    case 'jsonb':
      return values.map((value) => (value == null ? '' : JSON.stringify(value))).join('\u001E');
    case 'jsonl':
      return values.map((value) => linesOf(value as readonly unknown[])).join('\u001E');
    default:
      return values;
  }
}

function linesOf(list: readonly unknown[]): string {
  return list.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
