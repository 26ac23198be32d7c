import { createObservable } from '../../common/observable.js';

/** Whether the last request got no answer. */
export const isConnectionLost = createObservable(false);
/** How far the service's clock is ahead of this machine's, in milliseconds. Its `Date` header has whole seconds. */
let clockOffsetMs = 0;

/** `fetch`, which notes whether answers come, and what time it is at the service. */
export const observedFetch: typeof fetch = async (...args) => {
  try {
    const response = await fetch(...args);
    noteTime(Date.parse(response.headers.get('date') ?? ''));
    note(false);
    return response;
  } catch (error) {
    if (!(error instanceof DOMException)) note(true); // an abort is our own doing
    throw error;
  }
};

function note(isLost: boolean): void {
  if (isLost !== isConnectionLost.get()) isConnectionLost.set(isLost);
}

/** A difference below two seconds is rounding and travel. */
function noteTime(date: number): void {
  const offset = date - Date.now();
  if (!Number.isNaN(offset)) clockOffsetMs = Math.abs(offset) < 2_000 ? 0 : offset;
}

/** Ends are times of the service: a visitor's clock may be minutes off. */
export function toLocalTime(time: string): number {
  return Date.parse(time) - clockOffsetMs;
}
