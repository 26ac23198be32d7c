import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { Hold } from '../basket/basket-state.js';
import { explain } from '../explain.js';
import { Loading } from '../layout/page-state.js';
import { useShop } from '../shop.js';

interface RecoveryProps {
  readonly hold: Hold;
  /** It was refused after all: the hold can be paid for with another card. */
  readonly onRefused: (error: unknown) => void;
}

/** Finds out, after a reload or a lost connection, what became of a payment that was sent. */
export function Recovery({ hold, onRefused }: RecoveryProps) {
  const { basket } = useShop();
  const [, navigate] = useLocation();
  const [attempt, setAttempt] = useState({ number: 0, problem: '' });
  const ask = useEffectEvent(async () => {
    try {
      const order = await basket.payments.resume(hold);
      if (order?.nextAction?.type === 'redirect_to_url') location.assign(order.nextAction.url);
      else if (order) navigate(`/orders/${order.id}`, { replace: true });
    } catch (error) {
      if (basket.state.hold?.payment === 'sending') setAttempt(({ number }) => ({ number, problem: explain(error) }));
      else onRefused(error);
    }
  });
  useEffect(() => {
    void ask();
  }, [attempt.number]);
  if (attempt.problem === '') {
    return (
      <div className="card panel">
        <Loading text="Asking what became of your payment" />
      </div>
    );
  }
  return (
    <div className="card panel stack" role="alert">
      <p>
        <strong>{attempt.problem}</strong>
      </p>
      <p className="quiet">Your payment may have been made. Do not worry: it is asked for again, never made again.</p>
      <p>
        <button
          type="button"
          className="button primary"
          onClick={() => setAttempt(({ number }) => ({ number: number + 1, problem: '' }))}
        >
          Ask again
        </button>
      </p>
    </div>
  );
}
