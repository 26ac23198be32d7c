/** What a stop signal does once the service runs. */
export interface StopPlan {
  /** Resolves to the exit code. */
  stop(): Promise<number>;
  /** For an operator who does not want to wait any longer. */
  force?(): Promise<void>;
  readonly graceMs?: number;
}

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
const NAMES = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];

/** One Ctrl-C may arrive twice, from the terminal and from npm: only a later signal is a second one. */
const REPEAT_MS = 1_000;
const GRACE_MS = 10_000;
const PARENT_CHECK_MS = 500;

/**
 * Handles signals from the first moment on. During the start they abort it, and its own clean-up ends what has begun:
 * the default action would leave the embedded database behind. Later they follow the plan, and a second signal forces
 * the end.
 */
export class StopSignals {
  private readonly controller = new AbortController();
  private first: { readonly name: keyof typeof NUMBERS; readonly at: number } | undefined;
  private plan: StopPlan | undefined;

  constructor() {
    for (const name of NAMES) process.on(name, () => this.receive(name));
  }

  get requested(): AbortSignal {
    return this.controller.signal;
  }

  /** The shell's convention for a program that a signal has ended. */
  get exitCode(): number {
    return this.first ? 128 + NUMBERS[this.first.name] : 1;
  }

  handle(plan: StopPlan): void {
    this.plan = plan;
    if (this.first) this.follow(plan);
  }

  /**
   * npm forwards SIGTERM and SIGINT, but cannot forward its own death by SIGKILL or SIGHUP, which would leave us
   * running.
   */
  watchParent(): void {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) this.receive('SIGHUP');
    }, PARENT_CHECK_MS).unref();
  }

  private receive(name: keyof typeof NUMBERS): void {
    if (this.first) {
      if (performance.now() - this.first.at > REPEAT_MS) this.force();
      return;
    }
    this.first = { name, at: performance.now() };
    this.controller.abort(new Error(`Stopped by ${name}`));
    if (this.plan) this.follow(this.plan);
    else setTimeout(() => this.force(), GRACE_MS).unref();
  }

  private follow(plan: StopPlan): void {
    setTimeout(() => this.force(), plan.graceMs ?? GRACE_MS).unref();
    plan.stop().then(
      (code) => process.exit(code),
      (error: unknown) => {
        process.stderr.write(`The stop failed: ${error instanceof Error ? error.message : String(error)}\n`);
        process.exit(1);
      },
    );
  }

  private force(): void {
    void (this.plan?.force?.() ?? Promise.resolve()).finally(() => process.exit(1));
  }
}
