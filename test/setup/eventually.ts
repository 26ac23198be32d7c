import { setTimeout as delay } from 'node:timers/promises';

export interface Patience<T> {
  /** What the answer must satisfy; by default anything but undefined and false. */
  readonly until?: (value: T) => boolean;
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/** Only ends a wait that would never end: a busy machine may take many times as long as an idle one. */
const WITHIN_MS = 60_000;
const EVERY_MS = 25;
const MAX_SHOWN = 2_000;

/**
 * Repeats until it sees what the test needs, however long that takes. Fails with what never came, and with what was
 * there instead.
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  { until = isSomething, withinMs = WITHIN_MS, everyMs = EVERY_MS }: Patience<T> = {},
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (until(seen)) return seen as Exclude<T, undefined | false>;
    if (performance.now() > deadline) throw new Error(`never happened: ${what}${describe(seen)}`);
    await delay(everyMs);
  }
}

function isSomething(value: unknown): boolean {
  return value !== undefined && value !== false;
}

function describe(value: unknown): string {
  return isSomething(value) ? `; instead: ${JSON.stringify(value).slice(0, MAX_SHOWN)}` : '';
}
