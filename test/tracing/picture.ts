import type { CollectedSpan } from '../setup/otlp-collector.js';
import type { Play } from './play.js';

const WIDTH = 1_180;
const ROW = 22;
const TOP = 104;
const NAMES = 330;
const RIGHT = 90;
const COLOURS = ['#5b6472', '#1b6ca8', '#d9822b'];
const LOST = '#c0392b';
/** Below this many milliseconds a stretch of time keeps its length; longer ones grow by their logarithm. */
const SHORT_MS = 0.5;

interface Row {
  readonly name: string;
  readonly depth: number;
  readonly span: CollectedSpan | undefined;
}

/** The spans of a trace as a waterfall, each below its parent. An SVG of our own, like the charts of the benchmark. */
export function drawTrace({ storefront, spans, killedAt, traceId }: Play): string {
  const all = [storefront, ...spans];
  const rows = rowsOf(all, storefront);
  const instances = [...new Set(all.map(({ instance }) => instance))];
  const x = axisOf([killedAt, ...all.flatMap(({ from, to }) => [from, to])]);
  const height = TOP + rows.length * ROW + 40;
  const colourOf = ({ instance }: CollectedSpan) => COLOURS[instances.indexOf(instance) % COLOURS.length]!;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    text(16, 26, 'A checkout that is declined, and whose instance is killed while it waits for the provider', {
      size: 16,
    }),
    text(16, 46, `trace ${traceId}, from a real run (npm run trace:picture)`, { colour: '#666' }),
    ...instances.map((instance, index) => legend(instance, index)),
    ...rows.map((row, index) => drawRow(row, TOP + index * ROW, x, colourOf)),
    killMark(x(killedAt), height - 36),
    text(16, height - 12, 'Stretches of time grow by the logarithm of their length; the numbers are exact.', {
      colour: '#666',
    }),
    '</svg>\n',
  ].join('\n');
}

/** Depth first, by time. A parent that was lost with its process is drawn as a gap. */
function rowsOf(spans: readonly CollectedSpan[], root: CollectedSpan): Row[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const below = (parent: string, depth: number): Row[] =>
    spans
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .sort((a, b) => a.from - b.from || a.to - b.to)
      .flatMap((span) => [{ name: labelOf(span), depth, span }, ...below(span.spanId, depth + 1)]);
  const lost = [...new Set(spans.flatMap(({ parentSpanId }) => parentSpanId ?? []))].filter((id) => !known.has(id));
  return [
    { name: root.name, depth: 0, span: root },
    ...lost.flatMap((id) => [
      { name: 'POST /v1/checkouts, lost with its instance', depth: 1, span: undefined },
      ...below(id, 2),
    ]),
    ...below(root.spanId, 1),
  ];
}

function labelOf({ name, attributes }: CollectedSpan): string {
  const status = attributes['http.response.status_code'];
  return status === undefined ? name : `${name}: ${status}`;
}

function axisOf(moments: readonly number[]): (moment: number) => number {
  const sorted = [...new Set(moments)].sort((a, b) => a - b);
  const places = [0];
  for (let index = 1; index < sorted.length; index += 1)
    places.push(places[index - 1]! + Math.log1p((sorted[index]! - sorted[index - 1]!) / SHORT_MS));
  const scale = (WIDTH - NAMES - RIGHT) / places.at(-1)!;
  return (moment) => NAMES + places[sorted.indexOf(moment)]! * scale;
}

function drawRow(
  { name, depth, span }: Row,
  y: number,
  x: (moment: number) => number,
  colourOf: (span: CollectedSpan) => string,
): string {
  const label = text(16 + depth * 14, y + 14, name, { colour: span ? '#222' : LOST, isItalic: !span });
  const line = `<line x1="16" x2="${WIDTH - 16}" y1="${y + ROW - 1}" y2="${y + ROW - 1}" stroke="#eee"/>`;
  if (!span) return `${line}\n${label}`;
  const [from, to] = [x(span.from), x(span.to)];
  const width = Math.max(2, to - from);
  const fill = span.name === 'takeover' ? 'url(#waiting)' : colourOf(span);
  return [
    line,
    label,
    `<rect x="${from.toFixed(1)}" y="${y + 4}" width="${width.toFixed(1)}" height="13" rx="2" fill="${fill}"/>`,
    text(from + width + 5, y + 15, duration(span.to - span.from), { colour: '#555', size: 11 }),
  ].join('\n');
}

function killMark(x: number, bottom: number): string {
  return [
    `<defs><pattern id="waiting" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">`,
    `<rect width="6" height="6" fill="#f3e3d3"/><rect width="2" height="6" fill="#d9822b"/></pattern></defs>`,
    `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${TOP - 10}" y2="${bottom}" stroke="${LOST}" stroke-dasharray="4 3"/>`,
    text(x, TOP - 14, 'SIGKILL', { colour: LOST, anchor: 'middle', size: 11 }),
  ].join('\n');
}

function legend(instance: string, index: number): string {
  const names = ['the storefront', `instance ${instance}, killed`, `instance ${instance}, takes over`];
  const x = 16 + index * 240;
  const box = `<rect x="${x}" y="56" width="12" height="12" rx="2" fill="${COLOURS[index % COLOURS.length]}"/>`;
  return `${box}\n${text(x + 18, 66, names[index] ?? instance)}`;
}

function duration(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

interface Style {
  readonly size?: number;
  readonly colour?: string;
  readonly anchor?: string;
  readonly isItalic?: boolean;
}

function text(
  x: number,
  y: number,
  content: string,
  { size = 12, colour = '#222', anchor = 'start', isItalic }: Style = {},
) {
  const safe = content.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  const italic = isItalic ? ' font-style="italic"' : '';
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="${size}" fill="${colour}"${italic}>${safe}</text>`;
}
