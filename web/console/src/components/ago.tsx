import { useNow } from '../../../common/use-now.js';
import { formatDuration, formatTime } from '../data/format.js';

/** How long ago; the exact time is its title. */
export function Ago({ at }: { at: string }) {
  const ms = useNow() - Date.parse(at);
  return (
    <time dateTime={at} title={formatTime(at)} className="number nowrap">
      {ms < 2_000 ? 'just now' : `${ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : formatDuration(ms)} ago`}
    </time>
  );
}
