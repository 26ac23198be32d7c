export interface Series {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
  readonly isDashed?: boolean;
}

export interface Chart {
  readonly title: string;
  readonly xTitle: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
}

const COLOURS = ['#1b6ca8', '#d1495b', '#2e933c', '#8d6a9f', '#e08e1b', '#3a3a3a', '#00a6a6', '#9c4a1a'];
const WIDTH = 860;
const HEIGHT = 420;
const BOX = { left: 70, top: 40, right: 300, bottom: 50 };

/** A small line chart; an SVG of our own, because a chart library would be the largest dependency of the project. */
export function plot({ title, xTitle, labels, series }: Chart): string {
  const peak = Math.max(1, ...series.flatMap(({ values }) => values.filter((value) => value !== undefined)));
  const step = niceStep(peak / 5);
  const top = Math.ceil(peak / step) * step;
  const x = (i: number) => BOX.left + ((i + 0.5) * (WIDTH - BOX.left - BOX.right)) / labels.length;
  const y = (value: number) => HEIGHT - BOX.bottom - (value / top) * (HEIGHT - BOX.top - BOX.bottom);
  const grid = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => gridLine(i * step, y(i * step)));
  const ticks = labels.map((label, i) => text(x(i), HEIGHT - BOX.bottom + 20, label, 'middle'));
  const lines = series.map((one, i) => seriesOf(one, COLOURS[i % COLOURS.length]!, i, x, y));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    text(BOX.left, 22, title, 'start', 16),
    ...grid,
    ...ticks,
    text((BOX.left + WIDTH - BOX.right) / 2, HEIGHT - 10, xTitle, 'middle'),
    ...lines,
    '</svg>\n',
  ].join('\n');
}

function seriesOf(
  { name, values, isDashed }: Series,
  colour: string,
  index: number,
  x: (i: number) => number,
  y: (value: number) => number,
): string {
  const points = values.flatMap((value, i) => (value === undefined ? [] : [[x(i), y(value)] as const]));
  const dash = isDashed ? ' stroke-dasharray="5 4"' : '';
  const path = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
  const dots = points.map(([px, py]) => `<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="3" fill="${colour}"/>`);
  const legendY = BOX.top + 10 + index * 20;
  const legendX = WIDTH - BOX.right + 20;
  return [
    `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>`,
    ...dots,
    `<line x1="${legendX}" x2="${legendX + 24}" y1="${legendY}" y2="${legendY}" stroke="${colour}" stroke-width="2"${dash}/>`,
    text(legendX + 32, legendY + 4, name, 'start'),
  ].join('\n');
}

function gridLine(value: number, y: number): string {
  const line = `<line x1="${BOX.left}" x2="${WIDTH - BOX.right}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}" stroke="#ddd"/>`;
  return `${line}\n${text(BOX.left - 8, y + 4, value.toLocaleString('en'), 'end')}`;
}

function text(x: number, y: number, content: string, anchor: string, size = 12): string {
  const safe = content.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="${size}">${safe}</text>`;
}

function niceStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1e-9)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw) ?? raw;
}
