/** Something that the provider, our payments and our orders do not agree on, or that nobody brings to an end. */
export interface Finding {
  readonly kind: string;
  readonly orderId: string | null;
  readonly transactionId: string | null;
  /** In words. */
  readonly detail: string;
  readonly result: 'paid back' | 'being paid back' | 'woken' | 'needs attention';
}

export interface ReconciliationReport {
  readonly provider: string;
  readonly since: Date;
  readonly charges: number;
  readonly ms: number;
  readonly findings: readonly Finding[];
  /** There is more than one run looks at: the next has to begin where this one did. */
  readonly isTruncated: boolean;
}

/** Kinds that mean: the provider's ledger is not ours. */
export const LEDGER_KINDS: ReadonlySet<string> = new Set([
  'stray-charge',
  'unknown-order',
  'missing-at-provider',
  'amounts-differ',
  'refund-failed',
]);

export function needsAttention(finding: Finding): boolean {
  return finding.result === 'needs attention';
}
