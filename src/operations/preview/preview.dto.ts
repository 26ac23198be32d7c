import { z } from 'zod';
import { EFFECT_KINDS } from './effect.js';

export const effectSchema = z
  .object({
    kind: z.enum(EFFECT_KINDS).meta({ examples: ['refund'] }),
    amount: z
      .int()
      .optional()
      .meta({ description: 'In minor units', examples: [1_999] }),
    currency: z
      .string()
      .optional()
      .meta({ examples: ['EUR'] }),
    isUpTo: z.boolean().optional().meta({ description: 'The amount is a bound: the provider’s answer decides' }),
    lines: z.array(z.object({ sku: z.string(), quantity: z.int() })).optional(),
    what: z.string().optional().meta({ description: 'What is sent or run' }),
    count: z.int().optional().meta({ description: 'Of how many subjects' }),
  })
  .meta({ id: 'Effect', description: 'One thing that a verb will do to money, stock or an order' });

export const previewSchema = z
  .object({
    verb: z.string().meta({ examples: ['retry'] }),
    summary: z.string().meta({
      description: 'What it will do, in words',
      examples: ['refunds 19.99 EUR, releases 2 × demo-mug, rejects the order'],
    }),
    effects: z.array(effectSchema),
  })
  .meta({
    id: 'VerbPreview',
    description: 'A verb that is possible now, and what it will do: computed, nothing is done',
  });
