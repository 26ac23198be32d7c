import { formatCountdown } from '../../../common/countdown.js';
import { useNow } from '../../../common/use-now.js';
import type { Hold } from '../basket/basket-state.js';
import { toLocalTime } from '../connection.js';

/** How long it is still kept. A screen reader is told at the checkout, not every second. */
export function HoldClock({ hold }: { hold: Hold }) {
  const now = useNow();
  return (
    <span className="number" role="timer" aria-live="off">
      {formatCountdown(toLocalTime(hold.expiresAt) - now)}
    </span>
  );
}
