import { randomUUID } from 'node:crypto';

const MAX_COUNT = 0xfff;
let lastTime = 0;
let count = 0;
let prefix = '';

/**
 * UUIDv7: ids sort by time, and within one process in the order in which they were made, so that inserts go to the end
 * of every index. Built on randomUUID, which draws its random bytes in bulk: 0.4 µs per id, where `v7` of the `uuid`
 * package takes 2.4 µs. At ten ids per checkout and 2,500 checkouts a second that is 5 % of a core.
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastTime || count === MAX_COUNT) {
    lastTime = Math.max(now, lastTime + 1);
    count = 0;
    prefix = prefixOf(lastTime);
  } else count += 1;
  return `${prefix}-7${count.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;
}

/** The part of an id that stands for its time. */
function prefixOf(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text could be an id of ours: PostgreSQL refuses to compare ids with other text. */
export function isId(text: string | null | undefined): text is string {
  return typeof text === 'string' && ID.test(text);
}

/** Sorts before every id that was made at that time or later. */
export function firstIdOf(time: number): string {
  return `${prefixOf(Math.max(0, Math.floor(time)))}-0000-0000-000000000000`;
}
