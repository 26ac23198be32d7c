import { z } from 'zod';

export const livenessSchema = z.object({ status: z.literal('live') }).meta({ id: 'Liveness' });

export const readinessSchema = z
  .object({
    status: z.enum(['ready', 'degraded', 'unavailable']),
    checks: z.record(
      z.string(),
      z.object({ state: z.enum(['up', 'degraded', 'down']), detail: z.string().optional() }),
    ),
  })
  .meta({
    id: 'Readiness',
    examples: [{ status: 'ready', checks: { database: { state: 'up' }, migrations: { state: 'up' } } }],
  });
