import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { formatDuration } from '../data/format.js';
import { AxisList } from './axis-list.js';
import { describe, isFailed, isIdle, type Placed, type Row, rowsOf, type Span } from './axis-rows.js';
import { type Interval, type Scale, scaleOf } from './axis-scale.js';
import type { Dossier } from './order-page.js';
import './axis.css';

const HEAD_HEIGHT = 30;
const ROW_HEIGHT = 26;
const TOP = 26;
const BAR = 14;
/** A bar that is wide enough has its duration in it. */
const LABEL_FROM = 56;
/** In one that is wider the cross stands at its beginning. */
const CROSS_FROM = 14;

/** Everything that happened to the order, over time, as a picture and as a list. */
export function Axis({ spans, sagas }: { spans: readonly Span[]; sagas: Dossier['sagas'] }) {
  const [active, setActive] = useState<number | undefined>();
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const rows = useMemo(() => rowsOf(spans, sagas), [spans, sagas]);
  const scale = useMemo(() => scaleOf(spans.map(toInterval), width), [spans, width]);
  const shown = active === undefined ? undefined : spans[active];
  const instances = [...new Set(spans.flatMap(({ by }) => by ?? []))];
  return (
    <section className="card axis" aria-label="What happened, over time">
      <div className="axis-head">
        <h2 className="panel-title">What happened</h2>
        <Legend instances={instances} />
      </div>
      <div className="axis-picture">
        <ol className="axis-labels" aria-hidden>
          {rows.map(({ key, label, isHead }) => (
            <li key={key} className={isHead ? 'head' : ''}>
              {label}
            </li>
          ))}
        </ol>
        <div
          ref={place}
          className="axis-scroll"
          tabIndex={0}
          role="region"
          aria-label="Picture of what happened; the list below says the same"
        >
          <Picture rows={rows} scale={scale} active={active} setActive={setActive} instances={instances} />
        </div>
      </div>
      <p className="axis-shown quiet" aria-hidden>
        {shown
          ? `${describe(shown)}${shown.ms > 0 ? `, ${formatDuration(shown.ms)}` : ''}${shown.error ? `: ${shown.error}` : ''}`
          : 'Wide is long, on a logarithmic scale; times in which nothing is done are folded.'}
      </p>
      <AxisList spans={spans} active={active} setActive={setActive} />
    </section>
  );
}

function toInterval(span: Span): Interval {
  return { from: Date.parse(span.from), to: Date.parse(span.to), isIdle: isIdle(span) };
}

function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
  return width;
}

interface PictureProps {
  readonly rows: readonly Row[];
  readonly scale: Scale;
  readonly active: number | undefined;
  readonly setActive: (index: number | undefined) => void;
  readonly instances: readonly string[];
}

function Picture({ rows, scale, active, setActive, instances }: PictureProps) {
  const tops = rows.reduce<number[]>(
    (all, { isHead }) => [...all, (all.at(-1) ?? TOP) + (isHead ? HEAD_HEIGHT : ROW_HEIGHT)],
    [TOP],
  );
  const height = tops.at(-1) ?? TOP;
  return (
    <svg
      width={scale.width}
      height={height}
      viewBox={`0 0 ${scale.width} ${height}`}
      aria-hidden
      onPointerLeave={() => setActive(undefined)}
    >
      <defs>
        <pattern id="axis-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" y1="0" x2="0" y2="6" className="axis-hatch" />
        </pattern>
      </defs>
      {scale.breaks.map(({ x, width, ms }) => (
        <g key={x}>
          <rect x={x} y={0} width={width} height={height} className="axis-break" />
          <text x={x + width / 2} y={16} className="axis-break-text">
            {formatDuration(ms)}
          </text>
        </g>
      ))}
      {rows.map(({ key, isHead, placed }, index) => (
        <g key={key}>
          {isHead && index > 0 && (
            <line x1={0} x2={scale.width} y1={tops[index]} y2={tops[index]} className="axis-rule" />
          )}
          {placed.map(({ span, index: at }) => (
            <Mark
              key={at}
              placed={{ span, index: at }}
              scale={scale}
              middle={(tops[index] ?? 0) + (isHead ? HEAD_HEIGHT : ROW_HEIGHT) / 2}
              height={height}
              isActive={at === active}
              instance={instances.indexOf(span.by ?? '')}
              onEnter={() => setActive(at)}
            />
          ))}
        </g>
      ))}
    </svg>
  );
}

interface MarkProps {
  readonly placed: Placed;
  readonly scale: Scale;
  readonly middle: number;
  readonly height: number;
  readonly isActive: boolean;
  readonly instance: number;
  readonly onEnter: () => void;
}

function Mark({ placed: { span }, scale, middle, height, isActive, instance, onEnter }: MarkProps) {
  const x = scale.x(Date.parse(span.from));
  const width = scale.x(Date.parse(span.to)) - x;
  const classes = [
    'axis-mark',
    span.kind,
    isFailed(span) ? 'failed' : '',
    span.isBack ? 'back' : '',
    isActive ? 'active' : '',
    instance > 0 ? 'second' : '',
  ].join(' ');
  if (span.kind === 'note' || span.kind === 'action')
    return <rect x={x - 4} y={middle - 4} width={8} height={8} className={classes} onPointerEnter={onEnter} />;
  if (span.kind === 'commit')
    return <line x1={x} x2={x} y1={middle - 9} y2={height} className={classes} onPointerEnter={onEnter} />;
  const shown = Math.max(3, width);
  return (
    <g className={classes} onPointerEnter={onEnter}>
      <rect x={x} y={middle - BAR / 2} width={shown} height={BAR} rx={3} />
      {isFailed(span) && <Cross x={shown < CROSS_FROM ? x + shown / 2 : x + BAR / 2} y={middle} />}
      {shown >= LABEL_FROM && span.kind !== 'lock' && (
        <text x={x + shown / 2} y={middle + 4}>
          {span.kind === 'takeover' ? `nobody for ${formatDuration(span.ms)}` : formatDuration(span.ms)}
        </text>
      )}
    </g>
  );
}

/** What failed is crossed out, for those who do not see its colour. */
function Cross({ x, y }: { x: number; y: number }) {
  return <path className="axis-cross" d={`M${x - 3} ${y - 3}l6 6m0 -6l-6 6`} />;
}

const LEGEND = [
  ['lock', 'lock'],
  ['step', 'step'],
  ['call', 'call'],
  ['step back', 'compensation'],
  ['step failed', 'failed'],
] as const;

function Legend({ instances }: { instances: readonly string[] }) {
  return (
    <ul className="axis-legend" aria-hidden>
      {LEGEND.map(([classes, text]) => (
        <li key={text}>
          <svg width="16" height="12">
            <g className={`axis-mark ${classes}`}>
              <rect x="0" y="1" width="16" height="10" rx="3" />
              {text === 'failed' && <Cross x={8} y={6} />}
            </g>
          </svg>
          {text}
        </li>
      ))}
      {instances.length > 1 && (
        <li>
          <svg width="16" height="12">
            <g className="axis-mark step second">
              <rect x="1" y="2" width="14" height="9" rx="3" />
            </g>
          </svg>
          by {instances.at(-1)}
        </li>
      )}
    </ul>
  );
}
