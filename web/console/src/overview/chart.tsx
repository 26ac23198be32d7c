import { useEffect, useEffectEvent, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../../../common/theme.js';

export interface Series {
  readonly label: string;
  /** A colour of the theme: `--good`. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
  readonly isFilled?: boolean;
}

interface Props {
  readonly title: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

const HEIGHT = 176;
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Lines over time. For those who do not see them, the last and the highest value of each is said. */
export function Chart({ title, times, series, format }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const { theme } = useTheme();
  const names = series.map(({ label }) => label).join();
  const make = useEffectEvent(
    (element: HTMLElement) => new uPlot(optionsOf(element, series, format), [[], ...series.map(() => [])], element),
  );
  // Made anew for other lines or another theme; new numbers are given to the one that is there.
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = make(element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [theme, names]);
  useEffect(() => {
    plot.current?.setData([times, ...series.map(({ values }) => values)] as never);
  }, [times, series, theme]);
  return (
    <figure className="card chart">
      <figcaption>{title}</figcaption>
      <p className="visually-hidden">{inWords(series, format)}</p>
      <div ref={place} className="chart-place" aria-hidden />
      <ul className="chart-legend" aria-hidden>
        {series.map(({ label, colour }) => (
          <li key={label}>
            <span style={{ background: `var(${colour})` }} />
            {label}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function inWords(series: readonly Series[], format: (value: number) => string): string {
  const known = series.map(({ label, values }) => ({ label, values: values.filter((value) => value !== null) }));
  return known
    .map(({ label, values }) =>
      values.length === 0
        ? `${label}: nothing`
        : `${label}: ${format(values.at(-1) ?? 0)} now, at most ${format(Math.max(...values))}`,
    )
    .join('; ');
}

function optionsOf(element: HTMLElement, series: readonly Series[], format: (value: number) => string): uPlot.Options {
  const style = getComputedStyle(element);
  const colourOf = (name: string) => resolve(element, name);
  const axis = {
    stroke: colourOf('--quiet'),
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    legend: { show: false },
    scales: { x: { time: true }, y: { range: (_, __, max) => [0, Math.max(max * 1.1, 1)] } },
    axes: [
      { ...axis, size: 28, space: 70, values: (_, values) => values.map((at) => CLOCK.format(at * 1_000)) },
      { ...axis, size: 52, values: (_, values) => values.map(format) },
    ],
    series: [
      {},
      ...series.map(({ label, colour, isFilled }) => ({
        label,
        stroke: colourOf(colour),
        width: 2,
        points: { show: false },
        spanGaps: true,
        ...(isFilled && { fill: `color-mix(in srgb, ${colourOf(colour)} 18%, transparent)` }),
      })),
    ],
  };
}

/** A canvas knows no variables: the browser says what colour one is now. */
function resolve(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
