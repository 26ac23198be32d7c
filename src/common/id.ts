import { randomUUID } from 'node:crypto';

const MAX_COUNT = 0xfff;
let lastTime = 0;
let count = 0;
let prefix = '';

/**
 * UUIDv7: ids in order of time, and within a process strictly in order of making, so that inserts go to the end of every
 * index and the primary key sorts by age. Built on randomUUID, whose random bytes are drawn in bulk.
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastTime) startAt(now);
  else if (count === MAX_COUNT) startAt(lastTime + 1);
  else count += 1;
  return `${prefix}-7${count.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;
}

function startAt(time: number): void {
  lastTime = time;
  count = 0;
  prefix = prefixOf(time);
}

/** The part of an id that stands for its time. */
function prefixOf(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Below every id that was made at that time or later. */
export function firstIdOf(time: number): string {
  return `${prefixOf(Math.max(0, Math.floor(time)))}-0000-0000-000000000000`;
}
