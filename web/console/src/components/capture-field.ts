import { formatMoney } from '../../../common/money.js';
import { amountField, currencyOf, sumOf } from './amount-field.js';
import type { Effect } from './effect-list.js';
import type { VerbField } from './verb-request.js';

/** All that is authorised, unless less is given: there is no second capture, so the card gets the rest back at once. */
export function captureField(effects: readonly Effect[]): VerbField | undefined {
  const currency = currencyOf(effects);
  if (currency === undefined) return undefined;
  const most = sumOf(effects, 'capture');
  const whole = formatMoney(most, currency);
  return amountField({
    most,
    currency,
    tooMuch: `No more than ${whole} is authorised.`,
    about: (amount) =>
      amount === most
        ? 'All that is authorised.'
        : `${formatMoney(most - amount, currency)} of ${whole} cannot be captured later.`,
    effectsOf: (amount) => [
      { kind: 'capture', amount, currency },
      ...(amount < most ? [{ kind: 'void' as const, amount: most - amount, currency }] : []),
    ],
  });
}
