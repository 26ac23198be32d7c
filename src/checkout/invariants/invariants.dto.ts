export interface InvariantResult {
  readonly name: string;
  readonly ok: boolean;
  /** At most 100, each with a `problem` in words. */
  readonly violations: readonly Readonly<Record<string, unknown>>[];
}

export interface InvariantReport {
  readonly ok: boolean;
  readonly checks: readonly InvariantResult[];
}
