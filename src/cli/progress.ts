const WIDTH = 30;
const LINE_EVERY = 0.1;

/** A bar on a terminal. Elsewhere, where nothing can be overwritten, one line per tenth. */
export class Progress {
  private shown = -1;

  constructor(
    private readonly output: NodeJS.WriteStream,
    private readonly rows: () => number,
  ) {}

  show(share: number): void {
    const percent = Math.floor(share * 100);
    if (this.output.isTTY) {
      if (percent === this.shown) return;
      this.shown = percent;
      const filled = Math.round(share * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      this.output.write(`\r${bar} ${String(percent).padStart(3)} %  ${this.rows()} rows${share >= 1 ? '\n' : ''}`);
      return;
    }
    if (share < 1 && share < this.shown + LINE_EVERY) return;
    if (this.shown >= 1) return;
    this.shown = share;
    this.output.write(`${percent} %, ${this.rows()} rows\n`);
  }
}
