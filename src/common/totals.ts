/** What a coupon takes off the price of the goods. */
export interface Discount {
  readonly code: string;
  readonly amount: number;
}

/** What an account pays of an order. */
export interface CreditShare {
  readonly accountId: string;
  /** What customers read: which kind of account it is, never its id or code. */
  readonly label: string;
  readonly amount: number;
}

/** An amount that is owed for goods, and how it comes about. */
export interface Priced {
  /** What is owed for the goods, after discounts. */
  readonly total: number;
  readonly discounts?: readonly Discount[] | null | undefined;
  readonly credit?: readonly CreditShare[] | null | undefined;
}

/** As much as decides what the card pays. */
interface Owed extends Pick<Priced, 'total'> {
  readonly credit?: readonly Pick<CreditShare, 'amount'>[] | null | undefined;
}

export const TOTAL_TYPES = ['items', 'discount', 'credit'] as const;

/** A line of the sum that customers see: what is taken off is negative, and all of them add up to the amount due. */
export interface TotalLine {
  readonly type: (typeof TOTAL_TYPES)[number];
  readonly label: string;
  readonly amount: number;
}

/** What the card pays: the one place that knows it. Everything that charges, shows, refunds or checks an amount asks here. */
export function amountDue({ total, credit }: Owed): number {
  return credit ? total - sumOf(credit) : total;
}

export function totalsOf({ total, discounts, credit }: Priced): TotalLine[] {
  const items: TotalLine = { type: 'items', label: 'Items', amount: total + sumOf(discounts ?? []) };
  if (!discounts && !credit) return [items];
  return [
    items,
    ...(discounts ?? []).map(({ code, amount }) => ({ type: 'discount' as const, label: code, amount: -amount })),
    ...(credit ?? []).flatMap(({ label, amount }) =>
      amount > 0 ? [{ type: 'credit' as const, label, amount: -amount }] : [],
    ),
  ];
}

export function sumOf(parts: readonly { readonly amount: number }[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0);
}
