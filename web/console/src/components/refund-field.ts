import { formatMoney, minorUnitsOf, toMinorUnits } from '../../../common/money.js';
import type { Effect } from './effect-list.js';
import type { VerbField } from './verb-request.js';

/** What can be paid back: to the card, and behind it as store credit. */
interface Refundable {
  readonly card: number;
  readonly credit: number;
  readonly currency: string;
}

/** All that is left, unless another amount is given. */
export function refundField(effects: readonly Effect[]): VerbField | undefined {
  const left = refundableOf(effects);
  if (!left) return undefined;
  const { currency } = left;
  const most = left.card + left.credit;
  const whole = formatMoney(most, currency);
  return {
    label: `Amount in ${currency}`,
    initial: (most / minorUnitsOf(currency)).toFixed(Math.log10(minorUnitsOf(currency))),
    read: (text) => {
      const amount = toMinorUnits(text, currency);
      if (amount === undefined || amount <= 0)
        return { text: `An amount up to ${whole}.`, isWrong: text.trim() !== '', canConfirm: false };
      if (amount > most) return { text: `No more than ${whole} is left.`, isWrong: true, canConfirm: false };
      const rest =
        amount === most ? 'All that is left.' : `${formatMoney(most - amount, currency)} of ${whole} stay paid.`;
      return { text: rest, canConfirm: true, effects: effectsOf(amount, left) };
    },
  };
}

/** In minor units, as it was typed. The field has refused everything that is none. */
export function refundAmount(text: string, effects: readonly Effect[]): number {
  return toMinorUnits(text, refundableOf(effects)?.currency ?? 'EUR') ?? 0;
}

function refundableOf(effects: readonly Effect[]): Refundable | undefined {
  const sumOf = (kind: Effect['kind']) =>
    effects.reduce((sum, effect) => sum + (effect.kind === kind ? (effect.amount ?? 0) : 0), 0);
  const currency = effects.find((effect) => effect.currency !== undefined)?.currency;
  return currency === undefined ? undefined : { card: sumOf('refund'), credit: sumOf('return-credit'), currency };
}

/** The card is paid back first. */
function effectsOf(amount: number, { card, currency }: Refundable): Effect[] {
  const toCard = Math.min(amount, card);
  return [
    ...(toCard > 0 ? [{ kind: 'refund' as const, amount: toCard, currency }] : []),
    ...(amount > toCard ? [{ kind: 'return-credit' as const, amount: amount - toCard, currency }] : []),
  ];
}
