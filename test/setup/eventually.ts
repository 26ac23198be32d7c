import { setTimeout as delay } from 'node:timers/promises';

/** Polls until the probe answers something; fails with what it was waiting for, not with a bare timeout. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined>,
  options: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + (options.withinMs ?? 20_000);
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await delay(options.everyMs ?? 50);
  }
}
