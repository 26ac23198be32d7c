const FACTOR = 3;
const CAP_MS = 12 * 3_600_000;

/**
 * 5 s, 15 s, 45 s … 12 h: 15 attempts cover three days, so that an endpoint may be down over a weekend. Spread by a tenth, so
 * that what failed together does not come back together.
 */
export function retryDelayMs(baseMs: number, attempt: number, random: () => number = Math.random): number {
  const delay = Math.min(CAP_MS, baseMs * FACTOR ** (attempt - 1));
  return Math.round(delay * (0.9 + 0.2 * random()));
}

/** What the endpoint asked for (Retry-After, in seconds), if that is later; never beyond the longest pause of our own. */
export function postponedMs(delayMs: number, retryAfter: string | undefined): number {
  const asked = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : 0;
  return Math.max(delayMs, Math.min(asked, CAP_MS));
}
