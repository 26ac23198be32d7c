import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import type { CatalogueImport } from './catalogue-import.js';
import { CsvParser } from './csv.parser.js';
import { fromCsv, toImportRow } from './import-row.dto.js';
import { NdjsonParser } from './ndjson.parser.js';
import type { RawRow, RowParser } from './row-parser.js';

/** The progress once everything is read and the last batch is not written yet. */
const ALL_BUT_DONE = 0.99;

interface Format {
  readonly parser: RowParser;
  readonly toRaw: (row: RawRow) => RawRow;
}

function formatOf(file: string): Format {
  const extension = path.extname(file).toLowerCase();
  if (extension === '.csv') return { parser: new CsvParser(), toRaw: fromCsv };
  if (extension === '.ndjson' || extension === '.jsonl') return { parser: new NdjsonParser(), toRaw: (row) => row };
  throw new Error(`${file}: a .csv or .ndjson file is expected`);
}

/** Streams the file through the import: reading waits until the rows before are written. */
export async function importFile(
  file: string,
  target: CatalogueImport,
  onProgress: (share: number) => void,
): Promise<void> {
  const { parser, toRaw } = formatOf(file);
  const size = statSync(file).size;
  const stream = createReadStream(file, { encoding: 'utf8' });
  const add = async (rows: readonly RawRow[]) => {
    for (const row of rows) await target.add(toImportRow(toRaw(row)));
  };
  for await (const text of stream) {
    await add(parser.push(text as string));
    onProgress(Math.min(stream.bytesRead / size, ALL_BUT_DONE));
  }
  await add(parser.end());
  await target.flush();
  onProgress(1);
}
