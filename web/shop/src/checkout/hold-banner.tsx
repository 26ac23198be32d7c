import { useEffect, useState } from 'react';
import { announce } from '../../../common/announcer.js';
import { formatCountdown } from '../../../common/countdown.js';
import { useNow } from '../../../common/use-now.js';
import type { Hold } from '../basket/basket-state.js';
import { toLocalTime } from '../connection.js';
import { explain } from '../explain.js';
import { useShop } from '../shop.js';

const EXTENSION_SECONDS = 300;
const HURRY_MS = 120_000;
/** When a screen reader says how much time is left. */
const SPOKEN_SECONDS = [300, 120, 60, 30];

/** Counts down, at the end asks the service whether it is really over, and lets the buyer ask for more time. */
export function HoldBanner({ hold }: { hold: Hold }) {
  const { basket } = useShop();
  const [isBusy, setBusy] = useState(false);
  const leftMs = Math.max(0, toLocalTime(hold.expiresAt) - useNow());
  const isOver = leftMs === 0;
  const seconds = Math.ceil(leftMs / 1_000);
  useEffect(() => {
    if (SPOKEN_SECONDS.includes(seconds)) announce(`Kept for you for another ${seconds} seconds`);
  }, [seconds]);
  useEffect(() => {
    if (!isOver) return;
    const ask = () => {
      void basket.refresh().then((end) => {
        if (end === 'expired') announce('The time is over. Your things are back in the cart.');
      }, ignore);
    };
    ask();
    const timer = setInterval(ask, 2_000); // until the service has noticed as well
    return () => clearInterval(timer);
  }, [basket, isOver]);
  const extend = async () => {
    setBusy(true);
    try {
      await basket.extend(EXTENSION_SECONDS);
      announce('Kept for you five minutes longer');
    } catch (error) {
      announce(explain(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={`hold-banner ${leftMs < HURRY_MS ? 'hurry' : ''}`}>
      <span className="hold-time number" role="timer" aria-live="off">
        {formatCountdown(leftMs)}
      </span>
      <span className="hold-text">
        <strong>Kept for you.</strong> <span className="hold-more">Nobody else can buy it meanwhile.</span>
      </span>
      <button type="button" className="button small" disabled={isBusy} onClick={extend}>
        5 more minutes
      </button>
    </div>
  );
}

/** Without an answer it is asked again. */
function ignore(): void {
  return;
}
