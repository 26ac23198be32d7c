import { z } from 'zod';

export const invariantReportSchema = z
  .object({
    ok: z.boolean(),
    checks: z.array(
      z
        .object({
          name: z.string().meta({ examples: ['reserved-equals-held-lines'] }),
          ok: z.boolean(),
          violations: z
            .array(z.looseObject({ problem: z.string().optional() }))
            .meta({ description: 'At most 100, each with its problem in words', examples: [[]] }),
        })
        .meta({ id: 'InvariantCheck' }),
    ),
  })
  .meta({ id: 'InvariantReport' });

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
