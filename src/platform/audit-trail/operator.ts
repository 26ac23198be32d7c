import { z } from 'zod';
import { ONE_LINE } from '../../common/text.js';

/** Who acts, and why. */
export interface Operator {
  /** The client of the API key, or the job that acts by itself. */
  readonly actor: string;
  readonly reason: string;
  /** Where it is one of many: a bulk run acts on each subject at most once. */
  readonly runId?: string;
}

const NOT_GIVEN = 'not given';

/** The body of a verb: the reason, or nothing. Routes that take one now took no body before, so other members are let be. */
export const verbSchema = z
  .object({
    reason: z.string().min(1).max(500).regex(ONE_LINE, 'must not contain control characters').default(NOT_GIVEN),
  })
  .default({ reason: NOT_GIVEN })
  .meta({ examples: [{ reason: 'the provider is back' }] });
export type VerbBody = z.infer<typeof verbSchema>;

export function operatorOf(
  { client }: { readonly client: string },
  { reason = NOT_GIVEN }: { readonly reason?: string | undefined },
): Operator {
  return { actor: client, reason };
}
