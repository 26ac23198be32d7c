/** What of a refund is paid back where. */
export interface RefundParts {
  readonly card: number;
  readonly credit: number;
}

/** Card first, then credit. Undefined where that much is not left, or nothing is. */
export function splitRefund(wanted: number | null, left: RefundParts): RefundParts | undefined {
  const amount = wanted ?? left.card + left.credit;
  if (amount <= 0 || amount > left.card + left.credit) return undefined;
  const card = Math.min(amount, left.card);
  return { card, credit: amount - card };
}

/** How much of an amount goes back to each of several accounts, the first first. */
export function spreadOver<T extends { readonly left: number }>(amount: number, accounts: readonly T[]): [T, number][] {
  let rest = amount;
  return accounts.flatMap((account): [T, number][] => {
    const part = Math.min(rest, account.left);
    rest -= part;
    return part > 0 ? [[account, part]] : [];
  });
}
