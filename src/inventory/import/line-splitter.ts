import { MAX_RECORD_LENGTH } from './row-parser.js';

export interface Line {
  readonly number: number;
  /** Without its line feed. Undefined when the line is longer than a record may be: it was not kept. */
  readonly text: string | undefined;
}

/** Cuts pieces of text of any length into numbered lines, and holds at most one unfinished line of bounded length. */
export class LineSplitter {
  private number = 0;
  private rest = '';
  private isTooLong = false;

  push(text: string): Line[] {
    const parts = (this.rest + text).split('\n');
    this.rest = parts.pop() ?? '';
    const lines = parts.map((part) => this.next(part));
    if (this.rest.length > MAX_RECORD_LENGTH) {
      this.isTooLong = true;
      this.rest = '';
    }
    return lines;
  }

  /** The last line, if the text did not end with a line feed. */
  end(): Line[] {
    if (this.rest === '' && !this.isTooLong) return [];
    const last = this.rest;
    this.rest = '';
    return [this.next(last)];
  }

  private next(part: string): Line {
    this.number += 1;
    const text = this.number === 1 ? part.replace(/^\uFEFF/, '') : part;
    const isTooLong = this.isTooLong || text.length > MAX_RECORD_LENGTH;
    this.isTooLong = false;
    return { number: this.number, text: isTooLong ? undefined : text };
  }
}
