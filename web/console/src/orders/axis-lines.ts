import { isFailed, type Placed, type Span } from './axis-rows.js';

/** One line of the list: a moment, or attempts that failed one after the other in the same way. */
export interface Line {
  readonly placed: readonly Placed[];
  /** A commit that nobody waited for is said with what it stored. */
  readonly isCommitted: boolean;
}

/** Fewer are shown one by one. */
const FOLD_FROM = 3;

export function linesOf(spans: readonly Span[]): Line[] {
  const lines: { placed: Placed[]; isCommitted: boolean }[] = [];
  spans.forEach((span, index) => {
    const last = lines.findLast((line) => line.placed[0]?.span.lane === span.lane);
    if (span.kind === 'commit' && span.ms === 0 && last) last.isCommitted = true;
    else lines.push({ placed: [{ span, index }], isCommitted: false });
  });
  return lines.reduce<Line[]>(fold, []).flatMap(unfoldFew);
}

function fold(lines: Line[], next: Line): Line[] {
  const last = lines.at(-1);
  if (!last || !isSame(last.placed[0]?.span, next.placed[0]?.span)) return [...lines, next];
  const both = { placed: [...last.placed, ...next.placed], isCommitted: last.isCommitted && next.isCommitted };
  return [...lines.slice(0, -1), both];
}

function isSame(a: Span | undefined, b: Span | undefined): boolean {
  if (!a || !b || !isFailed(a)) return false;
  return (['lane', 'kind', 'name', 'result', 'error', 'isBack', 'by'] as const).every(
    (member) => a[member] === b[member],
  );
}

function unfoldFew(line: Line): Line[] {
  if (line.placed.length >= FOLD_FROM) return [line];
  return line.placed.map((placed) => ({ placed: [placed], isCommitted: line.isCommitted }));
}
