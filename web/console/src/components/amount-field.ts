import { formatMoney, minorUnitsOf, toMinorUnits } from '../../../common/money.js';
import type { Effect } from './effect-list.js';
import type { VerbField } from './verb-request.js';

interface AmountOptions {
  readonly most: number;
  readonly currency: string;
  /** Said of an amount that is too large. */
  readonly tooMuch: string;
  /** Said of a good one. */
  readonly about: (amount: number) => string;
  readonly effectsOf: (amount: number) => readonly Effect[];
}

/** An amount of money for a verb: the most that is possible, unless another one is typed. */
export function amountField({ most, currency, tooMuch, about, effectsOf }: AmountOptions): VerbField {
  const unit = minorUnitsOf(currency);
  return {
    label: `Amount in ${currency}`,
    initial: (most / unit).toFixed(Math.log10(unit)),
    read: (text) => {
      const amount = toMinorUnits(text, currency);
      if (amount === undefined || amount <= 0) {
        const isWrong = text.trim() !== '';
        return { text: `An amount up to ${formatMoney(most, currency)}.`, isWrong, canConfirm: false };
      }
      if (amount > most) return { text: tooMuch, isWrong: true, canConfirm: false };
      return { text: about(amount), canConfirm: true, effects: effectsOf(amount) };
    },
  };
}

/** In minor units, as it was typed. The field has refused everything that is none. */
export function amountTyped(text: string, effects: readonly Effect[]): number {
  return toMinorUnits(text, currencyOf(effects) ?? 'EUR') ?? 0;
}

export function currencyOf(effects: readonly Effect[]): string | undefined {
  return effects.find(({ currency }) => currency !== undefined)?.currency;
}

export function sumOf(effects: readonly Effect[], kind: Effect['kind']): number {
  return effects.reduce((sum, effect) => sum + (effect.kind === kind ? (effect.amount ?? 0) : 0), 0);
}
