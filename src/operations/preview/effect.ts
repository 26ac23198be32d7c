import { formatMoney } from '../../common/money.js';

export interface EffectLine {
  readonly sku: string;
  readonly quantity: number;
}

export const EFFECT_KINDS = [
  'ask',
  'charge',
  'authorize',
  'capture',
  'void',
  'refund',
  'keep',
  'hold',
  'take',
  'release',
  'leave-hold',
  'restock',
  'hold-credit',
  'return-credit',
  'create',
  'confirm',
  'reject',
  'cancel',
  'send',
  'run',
] as const;
export type EffectKind = (typeof EFFECT_KINDS)[number];

/** The effect of a verb, described before the verb is applied. */
export interface Effect {
  readonly kind: EffectKind;
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  /** The amount is an upper bound: the result depends on the provider's answer. */
  readonly isUpTo?: boolean | undefined;
  readonly lines?: readonly EffectLine[] | undefined;
  /** The event or command that is sent or run. */
  readonly what?: string | undefined;
  /** The number of subjects; 1 if absent. */
  readonly count?: number | undefined;
}

const MAX_SKUS = 3;

const WORDS: Readonly<Record<EffectKind, (effect: Effect) => string>> = {
  ask: () => 'asks the provider what became of the charge',
  charge: (effect) => `charges at most ${moneyOf(effect)}, once`,
  authorize: (effect) => `authorises at most ${moneyOf(effect)}, once`,
  capture: (effect) => `captures ${moneyOf(effect)}`,
  void: (effect) => `voids the authorisation of ${moneyOf(effect)}`,
  refund: (effect) =>
    effect.isUpTo ? `refunds up to ${moneyOf(effect)}, as far as it was charged` : `refunds ${moneyOf(effect)}`,
  keep: (effect) => `leaves ${moneyOf(effect)} with the provider`,
  hold: (effect) => `holds ${linesOf(effect)}`,
  take: (effect) => `takes ${linesOf(effect)} from stock`,
  release: (effect) => `releases ${linesOf(effect)}`,
  'leave-hold': (effect) => `leaves the hold of ${linesOf(effect)} to the customer`,
  restock: (effect) => `puts ${linesOf(effect)} back into stock`,
  'hold-credit': (effect) => `holds up to ${moneyOf(effect)} of store credit`,
  'return-credit': (effect) => `returns ${moneyOf(effect)} of store credit`,
  create: (effect) => `creates ${ordersOf(effect)}`,
  confirm: (effect) => `confirms ${ordersOf(effect)}`,
  reject: (effect) => `rejects ${ordersOf(effect)}`,
  cancel: (effect) => `cancels ${ordersOf(effect)}`,
  send: ({ what = 'the event', count = 1 }) => `sends ${what} again${count > 1 ? ` (${count} times)` : ''}`,
  run: ({ what = 'a step', count = 1 }) => `runs ${what}${count > 1 ? ` (${count} times)` : ''}`,
};

/** "refunds 19.99 EUR, releases 2 × demo-mug, rejects the order" */
export function summaryOf(effects: readonly Effect[]): string {
  return effects.length === 0 ? 'changes neither money nor stock' : effects.map(inWords).join(', ');
}

function inWords(effect: Effect): string {
  return WORDS[effect.kind](effect);
}

/**
 * Adds up the effects of many subjects: money by currency, goods by SKU. In the order in which the kinds are listed.
 */
export function sumOf(all: readonly (readonly Effect[])[]): Effect[] {
  const sums = new Map<string, Effect>();
  for (const effect of all.flat()) {
    const key = [effect.kind, effect.currency, effect.isUpTo, effect.what].join();
    const sum = sums.get(key);
    sums.set(key, sum ? add(sum, effect) : effect);
  }
  return [...sums.values()].sort((a, b) => EFFECT_KINDS.indexOf(a.kind) - EFFECT_KINDS.indexOf(b.kind));
}

function add(a: Effect, b: Effect): Effect {
  const quantities = new Map<string, number>();
  for (const { sku, quantity } of [...(a.lines ?? []), ...(b.lines ?? [])])
    quantities.set(sku, (quantities.get(sku) ?? 0) + quantity);
  return {
    ...a,
    ...(a.amount !== undefined && { amount: a.amount + (b.amount ?? 0) }),
    ...(quantities.size > 0 && { lines: [...quantities].map(([sku, quantity]) => ({ sku, quantity })) }),
    count: (a.count ?? 1) + (b.count ?? 1),
  };
}

function moneyOf({ amount = 0, currency = 'XXX' }: Effect): string {
  return formatMoney(amount, currency);
}

function linesOf({ lines = [] }: Effect): string {
  const shown = lines.slice(0, MAX_SKUS).map(({ sku, quantity }) => `${quantity} × ${sku}`);
  const more = lines.length > MAX_SKUS ? ` and ${lines.length - MAX_SKUS} more` : '';
  return `${shown.join(' and ')}${more}`;
}

function ordersOf({ count = 1 }: Effect): string {
  return count === 1 ? 'the order' : `${count} orders`;
}
