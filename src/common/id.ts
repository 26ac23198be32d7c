import { randomUUID } from 'node:crypto';

const MAX_COUNT = 0xfff;
let lastTime = 0;
let count = 0;

/**
 * UUIDv7: ids in order of time, and within a process strictly in order of making, so that inserts go to the end of every
 * index and the primary key sorts by age. Built on randomUUID, whose random bytes are drawn in bulk.
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    count = 0;
  } else if (count === MAX_COUNT) {
    lastTime += 1;
    count = 0;
  } else count += 1;
  const time = lastTime.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;
}

/** Below every id that was made at that time or later. */
export function firstIdOf(time: number): string {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
