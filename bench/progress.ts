/** A bar on a terminal, a plain line per step elsewhere (CI logs). */
export class Progress {
  private done = 0;

  constructor(private readonly total: number) {}

  step(label: string): void {
    this.done += 1;
    const { stdout } = process;
    if (!stdout.isTTY) {
      stdout.write(`[${this.done}/${this.total}] ${label}\n`);
      return;
    }
    const width = 24;
    const filled = Math.round((width * this.done) / Math.max(1, this.total));
    stdout.write(`\r\x1b[2K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${this.done}/${this.total} ${label}`);
  }

  /** The result of the step, on a line of its own. */
  result(text: string): void {
    process.stdout.write(process.stdout.isTTY ? `\r\x1b[2K${text}\n` : `      ${text}\n`);
  }
}
