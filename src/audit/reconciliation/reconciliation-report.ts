/** Something on which the provider, our payments and our orders disagree, or that nothing brings to an end. */
export interface Finding {
  readonly kind: string;
  readonly orderId: string | null;
  readonly transactionId: string | null;
  /** For people. */
  readonly detail: string;
  readonly result: 'paid back' | 'being paid back' | 'woken' | 'closed' | 'voided' | 'noted' | 'needs attention';
}

export interface ReconciliationReport {
  readonly provider: string;
  readonly since: Date;
  readonly charges: number;
  readonly ms: number;
  readonly findings: readonly Finding[];
  /** There was more than one run handles: the next one must start where this one did. */
  readonly isTruncated: boolean;
}

/** Kinds that mean that the provider's ledger differs from ours. */
export const LEDGER_KINDS: ReadonlySet<string> = new Set([
  'stray-charge',
  'unknown-order',
  'missing-at-provider',
  'amounts-differ',
  'refund-failed',
  'authorization-ended',
  'stray-authorization',
]);

export function needsAttention(finding: Finding): boolean {
  return finding.result === 'needs attention';
}
