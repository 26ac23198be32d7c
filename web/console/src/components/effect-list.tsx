import type { Schemas } from '@checkout-saga/client';
import { formatMoney } from '../../../common/money.js';
import { formatCount } from '../data/format.js';

export type Effect = Schemas['Effect'];

const LABELS: Readonly<Record<Effect['kind'], string>> = {
  ask: 'Asks the provider what became of the charge',
  charge: 'Charges at most, once',
  authorize: 'Authorises at most, once',
  capture: 'Captures',
  void: 'Releases on the card',
  refund: 'Refunds',
  keep: 'Leaves with the provider',
  hold: 'Holds',
  take: 'Takes from stock',
  release: 'Releases',
  'leave-hold': 'Leaves the hold to the customer',
  restock: 'Puts back into stock',
  'hold-credit': 'Holds store credit, at most',
  'return-credit': 'Returns store credit',
  create: 'Creates',
  confirm: 'Confirms',
  reject: 'Rejects',
  cancel: 'Cancels',
  send: 'Sends again',
  run: 'Runs',
};
const TONES: Partial<Record<Effect['kind'], string>> = {
  refund: 'money',
  charge: 'money',
  authorize: 'money',
  capture: 'money',
  void: 'money',
  'return-credit': 'money',
  keep: 'warn',
};
const MAX_LINES = 6;

/** What a verb will do to money, stock and orders, one thing a line. */
export function EffectList({ effects }: { effects: readonly Effect[] }) {
  if (effects.length === 0) return <p className="quiet">It changes neither money nor stock.</p>;
  return (
    <ul className="effects">
      {effects.map((effect, index) => (
        <li key={index} className={TONES[effect.kind] ?? ''}>
          <span>{LABELS[effect.kind]}</span> <strong className="number">{amountOf(effect)}</strong>
        </li>
      ))}
    </ul>
  );
}

function amountOf({ kind, amount, currency, isUpTo, lines, what, count = 1 }: Effect): string {
  if (amount !== undefined && currency !== undefined)
    return `${isUpTo ? 'up to ' : ''}${formatMoney(amount, currency)}${count > 1 ? ` in ${formatCount(count)} orders` : ''}`;
  if (lines) {
    const shown = lines.slice(0, MAX_LINES).map(({ sku, quantity }) => `${formatCount(quantity)} × ${sku}`);
    return [...shown, ...(lines.length > MAX_LINES ? [`${lines.length - MAX_LINES} more SKUs`] : [])].join(', ');
  }
  if (what !== undefined) return count > 1 ? `${what}, ${formatCount(count)} times` : what;
  if (kind === 'ask') return '';
  return count > 1 ? `${formatCount(count)} orders` : 'the order';
}
