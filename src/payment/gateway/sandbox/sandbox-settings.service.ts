import { randomBytes } from 'node:crypto';
import type { OnModuleInit } from '@nestjs/common';
import { SandboxDatabase } from './sandbox-database.js';
import {
  areChargesPlain,
  NO_FAULTS,
  SandboxFaults,
  sandboxFaultsSchema,
  ScriptedEffect,
  ScriptedOperation,
} from './sandbox-faults.js';
import { lockFaults, readFaults, readOrCreateSettings, writeFaults } from './sandbox-settings.repository.js';

const FRESH_MS = 1_000;

/** The settings that all instances of the sandbox share: the callback secret and the faults. */
export class SandboxSettings implements OnModuleInit {
  private secret: string | undefined;
  private faults = NO_FAULTS;
  private isPlain = true;
  private staleAt = 0;
  private loading: Promise<void> | undefined;

  constructor(
    private readonly db: SandboxDatabase,
    private readonly configuredSecret: string | undefined,
  ) {
    this.secret = configuredSecret;
  }

  async onModuleInit(): Promise<void> {
    const stored = await readOrCreateSettings(this.db, randomBytes(32).toString('hex'));
    this.secret = this.configuredSecret ?? stored;
  }

  get webhookSecret(): string {
    if (this.secret === undefined) throw new Error('the sandbox was used before it was initialised');
    return this.secret;
  }

  /** At most one query a second, shared by all waiting callers; undefined (nothing to await) while fresh. */
  refreshed(): Promise<void> | undefined {
    if (Date.now() < this.staleAt) return undefined;
    this.loading ??= this.load().finally(() => (this.loading = undefined));
    return this.loading;
  }

  get currentFaults(): SandboxFaults {
    return this.faults;
  }

  /** No fault touches a charge, as far as is known by now: the hot path. */
  get arePlain(): boolean {
    return this.isPlain && Date.now() < this.staleAt;
  }

  async setFaults(faults: SandboxFaults): Promise<SandboxFaults> {
    await writeFaults(this.db, faults);
    this.remember(faults);
    return faults;
  }

  /** What the script has for the next call of an operation; taken once, whichever instance asks. */
  async takeScripted(operation: ScriptedOperation): Promise<ScriptedEffect | undefined> {
    if (this.faults.next.length === 0) return undefined;
    const [effect, left] = await this.db.run(async (tx) => {
      const faults = parsed(await lockFaults(tx));
      const at = faults.next.findIndex((scripted) => scripted.operation === operation);
      if (at < 0) return [undefined, faults] as const;
      const rest = { ...faults, next: faults.next.toSpliced(at, 1) };
      await writeFaults(tx, rest);
      return [faults.next[at]?.effect, rest] as const;
    });
    this.remember(left);
    return effect;
  }

  private async load(): Promise<void> {
    this.remember(parsed(await readFaults(this.db)));
  }

  private remember(faults: SandboxFaults): void {
    this.faults = faults;
    this.isPlain = areChargesPlain(faults);
    this.staleAt = Date.now() + FRESH_MS;
  }
}

function parsed(stored: unknown): SandboxFaults {
  const faults = sandboxFaultsSchema.safeParse(stored);
  return faults.success ? faults.data : NO_FAULTS;
}
