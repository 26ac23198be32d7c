/**
 * Drills that kill, freeze or crowd have two sizes: the short one proves the point in `npm test`, the full one, by
 * `npm run test:drills`, gives rare interleavings a chance.
 */
const isFull = process.env['TEST_SCALE'] === 'full';

export function scaled<T>(short: T, full: T): T {
  return isFull ? full : short;
}
