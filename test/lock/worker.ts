import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';
import { programOf } from '../setup/programs.js';
import type { DriverSpec } from './backends.js';

/** One `lock-worker.mjs`; it runs what `npm run build` made. */
export class Worker {
  private readonly lines: AsyncIterator<string>;

  private constructor(private readonly child: ChildProcess) {
    this.lines = readline.createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  }

  /** Resolves when the worker is connected and waits for jobs. */
  static async start(spec: DriverSpec): Promise<Worker> {
    const child = spawn(process.execPath, [programOf('lock-worker'), JSON.stringify(spec)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const worker = new Worker(child);
    await worker.next();
    return worker;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Its answer, or the first of its answers. */
  async run<T>(job: string, input: Record<string, unknown>): Promise<T> {
    this.child.stdin!.write(`${JSON.stringify({ job, input })}\n`);
    return this.next<T>();
  }

  /** Lets a job go on that waits to be told. */
  async proceed<T>(): Promise<T> {
    this.child.stdin!.write('\n');
    return this.next<T>();
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async end(): Promise<void> {
    if (!this.isAlive) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }

  private async next<T>(): Promise<T> {
    const line = await this.lines.next();
    if (line.done) throw new Error('the worker ended without an answer');
    return JSON.parse(line.value) as T;
  }
}
