import { useState } from 'react';
import { formatMoney } from '../../../common/money.js';
import { countOf, formatClock, formatDuration } from '../data/format.js';
import { type Line, linesOf } from './axis-lines.js';
import { describe, isFailed, type Span } from './axis-rows.js';

interface Props {
  readonly spans: readonly Span[];
  readonly active: number | undefined;
  readonly setActive: (index: number | undefined) => void;
}

/** The axis in words, for those who read rather than look, and for what a picture cannot say. */
export function AxisList({ spans, active, setActive }: Props) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const lines = linesOf(spans).flatMap((line) =>
    unfolded.has(line.placed[0]?.index ?? -1) ? line.placed.map((placed) => ({ ...line, placed: [placed] })) : [line],
  );
  return (
    <details className="axis-list" open>
      <summary>
        {countOf(spans.length, 'moment')}, from {spans[0] ? formatClock(spans[0].from) : ''}
      </summary>
      <ol onPointerLeave={() => setActive(undefined)}>
        {lines.map((line) => (
          <AxisLine
            key={line.placed[0]?.index}
            line={line}
            isActive={line.placed.some(({ index }) => index === active)}
            setActive={setActive}
            unfold={(index) => setUnfolded(new Set([...unfolded, index]))}
          />
        ))}
      </ol>
    </details>
  );
}

interface LineProps {
  readonly line: Line;
  readonly isActive: boolean;
  readonly setActive: (index: number) => void;
  readonly unfold: (index: number) => void;
}

function AxisLine({ line: { placed, isCommitted }, isActive, setActive, unfold }: LineProps) {
  const [first] = placed;
  if (!first) return null;
  const { span, index } = first;
  const ms = Date.parse(placed.at(-1)?.span.to ?? span.to) - Date.parse(span.from);
  return (
    <li
      className={`${isActive ? 'active' : ''} ${isFailed(span) ? 'failed' : ''}`}
      onPointerEnter={() => setActive(index)}
    >
      <time dateTime={span.from} className="number">
        {formatClock(span.from)}
      </time>
      <span className={`axis-dot ${span.kind} ${isFailed(span) ? 'failed' : ''} ${span.isBack ? 'back' : ''}`} />
      <span className="axis-what">
        {describe(span)}
        {placed.length > 1 ? `, ${countOf(placed.length, 'attempt')} ` : attemptOf(span)}
        {placed.length > 1 && (
          <button type="button" className="link-button small" onClick={() => unfold(index)}>
            show each
          </button>
        )}
        {isCommitted && <span className="axis-tag">commit</span>}
        {span.error !== undefined && <em>{span.error}</em>}
        <Detail span={span} />
      </span>
      <span className="number quiet">{ms > 0 ? formatDuration(ms) : ''}</span>
      <code className="quiet axis-by">{span.by ?? ''}</code>
    </li>
  );
}

function attemptOf({ attempt = 1 }: Span): string {
  return attempt > 1 ? `, attempt ${attempt}` : '';
}

/** What a note says beside its name, and who acted why. */
function Detail({ span: { detail, kind } }: { span: Span }) {
  if (detail === undefined) return null;
  const { actor, reason, amount, currency, declineCode, transactionId, url, before } = detail as Record<
    string,
    unknown
  >;
  const parts = [
    kind === 'action' ? `${text(actor)}: ${text(reason)}` : undefined,
    typeof amount === 'number' && typeof currency === 'string' ? formatMoney(amount, currency) : undefined,
    declineCode,
    transactionId,
    url,
    before === undefined ? undefined : `from ${text(before)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? null : <span className="quiet small"> {parts.map(text).join(' · ')}</span>;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
