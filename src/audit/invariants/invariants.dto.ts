import { z } from 'zod';
import { ONE_LINE } from '../../common/text.js';
import type { ResultRow } from './invariant-history.repository.js';

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

export const historyListSchema = z.strictObject({
  name: z.string().min(1).max(100).regex(ONE_LINE).optional().meta({ description: 'Of one check' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional().meta({ description: '`nextCursor` of the page before' }),
});
export type HistoryListQuery = z.infer<typeof historyListSchema>;

const timeSchema = z.iso.datetime();

export const historyPageSchema = z
  .object({
    items: z.array(
      z
        .object({
          id: z.uuid(),
          name: z.string().meta({ examples: ['reserved-equals-held'] }),
          ok: z.boolean(),
          count: z.int().meta({ description: 'Violations, at most 100 counted', examples: [0] }),
          violations: z.array(z.looseObject({ problem: z.string().optional() })).meta({ description: 'The first 20' }),
          firstAt: timeSchema,
          lastAt: timeSchema.meta({ description: 'When a check last had this result' }),
          rounds: z.int().meta({ description: 'How many checks had this result', examples: [1_440] }),
        })
        .meta({ id: 'InvariantInterval' }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'InvariantHistory' });
export type HistoryPage = z.infer<typeof historyPageSchema>;

export function toHistoryPage(rows: readonly ResultRow[], limit: number): HistoryPage {
  const shown = rows.slice(0, limit);
  const items = shown.map(({ isOk: ok, firstAt, lastAt, ...row }) => ({
    ...row,
    ok,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  }));
  return { items, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

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
