import { z } from 'zod';
import type { DeepReadonly } from '../../common/deep-readonly.js';
import { BULK_ACTIONS } from '../bulk/bulk-action.js';
import { SUBJECT_KINDS } from '../../platform/audit-trail/operator-action.entity.js';
import { effectSchema, previewSchema } from '../preview/preview.dto.js';

const timeSchema = z.iso.datetime();

export const ATTENTION_KINDS = [
  'stuck-saga',
  'payment-in-doubt',
  'dead-callback',
  'dead-delivery',
  'dead-letter',
  'broken-invariant',
  'authorization-expiring',
  'authorization-expired',
  'dispute',
] as const;

const attentionItemSchema = z
  .object({
    subjectKind: z.enum([...SUBJECT_KINDS, 'payment', 'violation']),
    subject: z.string().meta({ description: 'The id that a verb takes' }),
    orderId: z.string().nullable(),
    endpointId: z.uuid().optional().meta({ description: 'Of a delivery' }),
    since: timeSchema,
    problem: z.string().meta({ description: 'What is wrong, in words' }),
    verbs: z.array(previewSchema),
  })
  .meta({ id: 'AttentionItem' });

const attentionGroupSchema = z
  .object({
    cause: z.string().meta({ description: 'Names the group; the same cause has the same name tomorrow' }),
    kind: z.enum(ATTENTION_KINDS),
    title: z.string().meta({ examples: ['A refund does not go through'] }),
    why: z.string().meta({ description: 'The newest reason, in words' }),
    count: z.int().meta({ description: 'How many there are, of which `items` are the newest' }),
    oldestAt: timeSchema,
    recommended: z.string().nullable().meta({ description: 'The verb to use; null where a person has to find out' }),
    advice: z.string(),
    effects: z.array(effectSchema).meta({ description: 'What the recommended verb will do to the listed items' }),
    summary: z.string(),
    bulk: z
      .object({ action: z.enum(BULK_ACTIONS), filter: z.record(z.string(), z.string()) })
      .nullable()
      .meta({ description: 'The bulk run that applies the verb to all of them; see `POST /v1/bulk-runs`' }),
    items: z.array(attentionItemSchema),
  })
  .meta({ id: 'AttentionGroup' });

export const attentionSchema = z
  .object({
    count: z.int().meta({ description: 'Over all groups' }),
    groups: z.array(attentionGroupSchema),
    checkedAt: timeSchema,
  })
  .meta({ id: 'Attention', description: 'What waits for a person, by cause' });

export type Attention = DeepReadonly<z.infer<typeof attentionSchema>>;
export type AttentionGroup = DeepReadonly<z.infer<typeof attentionGroupSchema>>;
export type AttentionItem = DeepReadonly<z.infer<typeof attentionItemSchema>>;
