import { randomUUID } from 'node:crypto';

/**
 * Time first, so that an id sorts by age and inserts go to the right edge of the index; then 96 random bits,
 * because the id of a charge is also the customer's only credential on the authentication page.
 */
export function sandboxId(prefix: 'ch' | 're' | 'evt', nowMs: number = Date.now()): string {
  const random = randomUUID();
  return `${firstIdAt(prefix, nowMs)}${random.slice(0, 8)}${random.slice(9, 13)}${random.slice(24)}`;
}

/** The lower bound of all ids made at `ms` or later. */
export function firstIdAt(prefix: 'ch' | 're' | 'evt', ms: number): string {
  return `${prefix}_${Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')}`;
}
