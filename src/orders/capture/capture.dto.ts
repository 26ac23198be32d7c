import { z } from 'zod';
import { verbSchema } from '../../platform/audit-trail/operator.js';

export const captureSchema = z
  .strictObject({
    amount: z
      .number()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .meta({ description: 'In minor units; all that is authorised unless told. The rest is released.' })
      .optional(),
    reason: verbSchema.unwrap().shape.reason,
  })
  .default({ reason: 'not given' })
  .meta({ id: 'CaptureRequest', examples: [{ amount: 1_250, reason: 'shipped' }] });
export type CaptureBody = z.infer<typeof captureSchema>;
