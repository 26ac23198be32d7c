import { z } from 'zod';
import { pageSchema } from '../../platform/http/fields.js';
import type { DeepReadonly } from '../../common/deep-readonly.js';
import { ONE_LINE } from '../../common/text.js';
import { ACTION_VERBS, OperatorAction, SUBJECT_KINDS } from '../../platform/audit-trail/operator-action.entity.js';

const timeSchema = z.iso.datetime();

export const actionListSchema = z.strictObject({
  verb: z.enum(ACTION_VERBS).optional(),
  actor: z.string().min(1).max(100).regex(ONE_LINE).optional(),
  subject: z.string().min(1).max(255).regex(ONE_LINE).optional().meta({ description: 'What it was done to' }),
  orderId: z.uuid().optional(),
  runId: z.uuid().optional().meta({ description: 'All of one bulk run' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional().meta({ description: '`nextCursor` of the page before' }),
});
export type ActionListQuery = z.infer<typeof actionListSchema>;

export const actionSchema = z
  .object({
    id: z.uuid(),
    verb: z.enum(ACTION_VERBS).meta({ examples: ['retry'] }),
    subjectKind: z.enum(SUBJECT_KINDS).meta({ examples: ['saga'] }),
    subject: z.string(),
    actor: z.string().meta({ description: 'The client of the API key, or the job that acted', examples: ['admin'] }),
    reason: z.string().meta({ examples: ['the provider is back'] }),
    detail: z.record(z.string(), z.unknown()),
    runId: z.uuid().nullable().meta({ description: 'The bulk run that it was part of' }),
    at: timeSchema,
  })
  .meta({ id: 'OperatorAction' });
export type ActionView = DeepReadonly<z.infer<typeof actionSchema>>;

const listedActionSchema = actionSchema.extend({ orderId: z.uuid().nullable() }).meta({ id: 'ListedOperatorAction' });

export const actionPageSchema = pageSchema(listedActionSchema, 'OperatorActionPage');
export type ActionPage = DeepReadonly<z.infer<typeof actionPageSchema>>;

export function toActionView(
  action: Pick<
    OperatorAction,
    'id' | 'verb' | 'subjectKind' | 'subject' | 'actor' | 'reason' | 'detail' | 'runId' | 'createdAt'
  >,
): ActionView {
  const { id, verb, subjectKind, subject, actor, reason, detail, runId, createdAt } = action;
  return { id, verb, subjectKind, subject, actor, reason, detail, runId, at: createdAt.toISOString() };
}
