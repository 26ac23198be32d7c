/** A moment that lasts: milliseconds since 1970. */
export interface Interval {
  readonly from: number;
  readonly to: number;
  /** Nothing is done in it: somebody is waited for, or nobody is there. */
  readonly isIdle: boolean;
}

export interface Break {
  readonly x: number;
  readonly width: number;
  readonly ms: number;
}

export interface Scale {
  readonly width: number;
  readonly x: (time: number) => number;
  readonly breaks: readonly Break[];
}

const PAD = 12;
const BREAK_WIDTH = 64;
/** A longer time in which nothing is done is folded. */
const BREAK_FROM_MS = 1_200;
const MIN_WIDTH = 5;
const PER_DOUBLING = 15;
const MAX_WIDTH = 230;
/** A short story may fill the page, but a millisecond should not look like a second. */
const MAX_STRETCH = 2;

/**
 * A checkout takes milliseconds, its payment seconds, and its cancellation comes days later: on a straight axis one of them would
 * be invisible. Here every part between two moments is as wide as the logarithm of its length, and idle times are folded.
 */
export function scaleOf(intervals: readonly Interval[], minWidth = 0): Scale {
  const scale = scaleBy(1, intervals);
  const factor = Math.min(MAX_STRETCH, (minWidth - 2 * PAD) / (scale.width - 2 * PAD));
  return factor > 1 ? scaleBy(factor, intervals) : scale;
}

function scaleBy(factor: number, intervals: readonly Interval[]): Scale {
  const times = [...new Set(intervals.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const busy = intervals.filter(({ isIdle }) => !isIdle);
  const xs: number[] = [];
  const breaks: Break[] = [];
  let at = PAD;
  times.forEach((time, index) => {
    xs.push(at);
    const next = times[index + 1];
    if (next === undefined) return;
    const ms = next - time;
    const isFolded = ms >= BREAK_FROM_MS && !busy.some(({ from, to }) => from <= time && to >= next);
    const width = factor * (isFolded ? BREAK_WIDTH : widthOf(ms));
    if (isFolded) breaks.push({ x: at, width, ms });
    at += width;
  });
  return { width: at + PAD, breaks, x: (time) => place(times, xs, time) };
}

function widthOf(ms: number): number {
  return Math.min(MAX_WIDTH, MIN_WIDTH + PER_DOUBLING * Math.log2(1 + ms));
}

/** Between two known moments along a straight line. */
function place(times: readonly number[], xs: readonly number[], time: number): number {
  const after = times.findIndex((known) => known >= time);
  if (after === -1) return xs.at(-1) ?? PAD;
  const [end = 0, endX = PAD] = [times[after], xs[after]];
  if (after === 0 || end === time) return endX;
  const [start = 0, startX = PAD] = [times[after - 1], xs[after - 1]];
  return startX + ((time - start) / (end - start)) * (endX - startX);
}
