import { CheckIcon } from '../layout/icons.js';
import type { Order } from './use-order.js';

type StepState = 'done' | 'now' | 'later' | 'failed';

const PAID: ReadonlySet<string> = new Set(['AUTHORIZED', 'CAPTURED', 'REFUNDED']);

/** The three things that happen to an order, and how far they are. */
export function OrderSteps({ order }: { order: Order }) {
  return (
    <ol className="steps">
      {stepsOf(order).map(({ name, state }) => (
        <li key={name} className={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span className="step-mark">{state === 'done' ? <CheckIcon /> : null}</span>
          <span>
            {name}
            <span className="visually-hidden">{spoken(state)}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function spoken(state: StepState): string {
  return { done: ': done', now: ': under way', later: ': not yet', failed: ': failed' }[state];
}

function stepsOf({ state, payment, reservation }: Order): { name: string; state: StepState }[] {
  const isPaid = PAID.has(payment?.state ?? '');
  const isOver = state === 'REJECTED';
  const reserved: StepState = reservation ? 'done' : isOver ? 'failed' : 'now';
  const paid: StepState = isPaid ? 'done' : isOver ? 'failed' : reservation ? 'now' : 'later';
  const confirmed: StepState =
    state === 'CONFIRMED' || state === 'CANCELLED' ? 'done' : isPaid && !isOver ? 'now' : 'later';
  return [
    { name: 'Reserved', state: reserved },
    { name: 'Paid', state: paid },
    { name: 'Confirmed', state: confirmed },
  ];
}
