import { formatMoney } from '../../../common/money.js';
import { amountField, currencyOf, sumOf } from './amount-field.js';
import type { Effect } from './effect-list.js';
import type { VerbField } from './verb-request.js';

/** All that is left, unless another amount is given: to the card, and behind it as store credit. */
export function refundField(effects: readonly Effect[]): VerbField | undefined {
  const currency = currencyOf(effects);
  if (currency === undefined) return undefined;
  const card = sumOf(effects, 'refund');
  const most = card + sumOf(effects, 'return-credit');
  const whole = formatMoney(most, currency);
  return amountField({
    most,
    currency,
    tooMuch: `No more than ${whole} is left.`,
    about: (amount) =>
      amount === most ? 'All that is left.' : `${formatMoney(most - amount, currency)} of ${whole} stay paid.`,
    effectsOf: (amount) => effectsOf(amount, card, currency),
  });
}

/** The card is paid back first. */
function effectsOf(amount: number, card: number, currency: string): Effect[] {
  const toCard = Math.min(amount, card);
  return [
    ...(toCard > 0 ? [{ kind: 'refund' as const, amount: toCard, currency }] : []),
    ...(amount > toCard ? [{ kind: 'return-credit' as const, amount: amount - toCard, currency }] : []),
  ];
}
