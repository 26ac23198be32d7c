export interface Preference {
  readonly waitMs: number;
  readonly isAsync: boolean;
}

const DEFAULT_WAIT_SECONDS = 10;
const MAX_WAIT_SECONDS = 25;

/** RFC 7240: `wait=N` in seconds, `respond-async`. Unknown preferences are ignored, as the RFC requires. */
export function parsePrefer(header: string | string[] | undefined): Preference {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const preferences = text.split(',').map((part) => part.trim().toLowerCase());
  const wait = preferences
    .map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1])
    .find((value) => value !== undefined);
  const seconds = Math.min(wait === undefined ? DEFAULT_WAIT_SECONDS : Number(wait), MAX_WAIT_SECONDS);
  return { waitMs: seconds * 1_000, isAsync: preferences.includes('respond-async') };
}
