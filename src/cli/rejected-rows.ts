import { createWriteStream, rmSync, WriteStream } from 'node:fs';
import { once } from 'node:events';
import type { RejectedRow } from '../inventory/import/import-row.dto.js';

const SHOWN = 10;

/** Every bad row with its line and reason, in a file beside the imported one; the first few also on the terminal. */
export class RejectedRows {
  readonly file: string;
  private stream: WriteStream | undefined;
  private count = 0;

  constructor(
    importedFile: string,
    private readonly print: (line: string) => void,
  ) {
    this.file = `${importedFile}.rejected.ndjson`;
    rmSync(this.file, { force: true });
  }

  async add(row: RejectedRow): Promise<void> {
    this.count += 1;
    if (this.count <= SHOWN) this.print(`line ${row.line}: ${row.reason}`);
    this.stream ??= createWriteStream(this.file);
    if (!this.stream.write(`${JSON.stringify(row)}\n`)) await once(this.stream, 'drain');
  }

  async close(): Promise<void> {
    if (this.count > SHOWN) this.print(`… and ${this.count - SHOWN} more`);
    if (!this.stream) return;
    this.stream.end();
    await once(this.stream, 'close');
  }
}
