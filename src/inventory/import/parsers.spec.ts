import fc from 'fast-check';
import { CsvParser } from './csv.parser.js';
import { fromCsv, toImportRow } from './import-row.dto.js';
import { NdjsonParser } from './ndjson.parser.js';
import { MAX_RECORD_LENGTH, RawRow, RowParser } from './row-parser.js';

const HEADER = 'sku,name,unitAmount,currency,group,onHand';

function parse(parser: RowParser, ...chunks: string[]): RawRow[] {
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

function cut(text: string, at: readonly number[]): string[] {
  const places = [0, ...at.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((place, index) => text.slice(places[index], place));
}

const csv = (...records: string[]) => parse(new CsvParser(), [HEADER, ...records].join('\n'));
const errorOf = (row: RawRow | undefined) => (row && 'error' in row ? row.error : undefined);

describe('CSV', () => {
  it('reads back whatever was quoted, however it was cut and ended', () => {
    const field = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' ', '😀') });
    const records = fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(records, fc.array(fc.nat(), { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), (written, at, end) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const body = written.map(([name, group]) => `s,${quote(name)},1,EUR,${quote(group)},2`);
        const rows = parse(new CsvParser(), ...cut([HEADER, ...body].join(end), at));
        expect(rows.map(({ value }) => value)).toEqual(
          written.map(([name, group]) => ({ sku: 's', name, unitAmount: '1', currency: 'EUR', group, onHand: '2' })),
        );
      }),
    );
  });

  it('numbers records by the line they begin on', () => {
    const rows = csv('a,"two\nlines",1,EUR,,', '', 'b,B,1,EUR,,');
    expect(rows.map(({ line }) => line)).toEqual([2, 5]);
  });

  it('ignores a byte order mark, reorders columns and needs no final line break', () => {
    const rows = parse(new CsvParser(), '\uFEFFcurrency,sku,unitAmount,name\r\nEUR,a,5,"A ""x"""');
    expect(rows).toEqual([{ line: 2, value: { currency: 'EUR', sku: 'a', unitAmount: '5', name: 'A "x"' } }]);
  });

  it('goes on after a bad record', () => {
    const rows = csv('a,A', 'b,"B"x,1,EUR,,', 'c,C"C,1,EUR,,', 'd,D,1,EUR,,');
    expect(rows.map(errorOf)).toEqual([
      '2 fields, expected 6',
      'text after a closing quote',
      'a quote inside a field that is not quoted',
      undefined,
    ]);
  });

  it('does not swallow the file behind a quote that is never closed', () => {
    const filler = Array.from({ length: 4_000 }, () => 'x,X,1,EUR,,12345678901234567890');
    const rows = csv('a,"A,1,EUR,,', ...filler, 'z,Z,1,EUR,,');
    expect(errorOf(rows[0])).toBe(`longer than ${MAX_RECORD_LENGTH} characters`);
    expect(rows.at(-1)).toMatchObject({ line: 4_003, value: { sku: 'z' } });
    expect(errorOf(csv('a,"A').at(-1))).toBe('a quote is not closed');
  });

  it.each([
    ['sku,name,unitAmount', 'lacks currency'],
    ['sku,name,unitAmount,currency,onhand', 'names onhand'],
    ['sku,name,unitAmount,currency,sku', 'names sku'],
    ['"sku', 'cannot be read'],
  ])('refuses the header %s', (header, message) => {
    expect(() => parse(new CsvParser(), header)).toThrow(message);
  });
});

describe('NDJSON', () => {
  it('reads one value per line, however it was cut', () => {
    const rows = fc.array(fc.dictionary(fc.string(), fc.string()), { minLength: 1 });
    fc.assert(
      fc.property(rows, fc.array(fc.nat(), { maxLength: 6 }), (written, at) => {
        const text = written.map((row) => JSON.stringify(row)).join('\n');
        const read = parse(new NdjsonParser(), ...cut(text, at));
        expect(JSON.stringify(read.map(({ value }) => value))).toBe(JSON.stringify(written));
      }),
    );
  });

  it('numbers lines, skips blank ones and goes on after a bad one', () => {
    const rows = parse(new NdjsonParser(), '\uFEFF{"a":1}\r\n\n{oops\n', 'x'.repeat(MAX_RECORD_LENGTH + 1), '\n5');
    expect(rows.map(({ line }) => line)).toEqual([1, 3, 4, 5]);
    expect(rows.map(errorOf)).toEqual([
      undefined,
      'not valid JSON',
      `longer than ${MAX_RECORD_LENGTH} characters`,
      undefined,
    ]);
  });
});

describe('import rows', () => {
  it('reads what CSV left as text', () => {
    const [row] = csv('a, A ,5,EUR,,');
    expect(toImportRow(fromCsv(row!))).toEqual({
      line: 2,
      data: {
        ...{ sku: 'a', name: 'A', unitAmount: 5, currency: 'EUR', group: null, row: null, number: null },
        ...{ maxPerCustomer: null, onHand: 0 },
      },
    });
  });

  it.each([
    ['a,A,1.5,EUR,,', 'unitAmount'],
    ['a,A,,EUR,,', 'unitAmount'],
    ['a b,A,1,EUR,,', 'sku'],
    ['a,A,1,EUR,,-1', 'onHand'],
    ['a,A,1,ABC,,', 'currency'],
  ])('says what is wrong with %s', (record, path) => {
    const [row] = csv(record);
    expect(toImportRow(fromCsv(row!))).toMatchObject({ line: 2, reason: expect.stringContaining(path) });
  });
});
