import { z } from 'zod';

export const resetResponseSchema = z
  .object({
    tables: z.int().meta({ description: 'How many tables were emptied' }),
    ms: z.int().meta({ description: 'How long it took' }),
  })
  .meta({ id: 'SandboxReset' });

export const expireSchema = z
  .strictObject({ reservationId: z.uuid() })
  .meta({ id: 'ExpireRequest', examples: [{ reservationId: '0199c8f0-6b2f-7d4c-8e3f-5a7b9c1d2e3f' }] });
export type ExpireBody = z.infer<typeof expireSchema>;
