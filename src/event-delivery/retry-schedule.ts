const FACTOR = 3;
const CAP_MS = 12 * 3_600_000;

/**
 * 5 s, 15 s, 45 s … 12 h: 15 attempts cover three days, so that an endpoint may be down over a weekend. A tenth of
 * jitter keeps deliveries that failed together apart.
 */
export function retryDelayMs(baseMs: number, attempt: number, random: () => number = Math.random): number {
  const delay = Math.min(CAP_MS, baseMs * FACTOR ** (attempt - 1));
  return Math.round(delay * (0.9 + 0.2 * random()));
}

/** The endpoint's own wish (Retry-After, in seconds) if that is later, but never beyond our longest pause. */
export function postponedMs(delayMs: number, retryAfter: string | undefined): number {
  const asked = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : 0;
  return Math.max(delayMs, Math.min(asked, CAP_MS));
}
