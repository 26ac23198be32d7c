import { z } from 'zod';

const heldLockSchema = z
  .object({
    key: z.string().meta({ examples: ['inventory:reserve:demo-mug'] }),
    owner: z
      .string()
      .meta({ description: 'The instance and the number of its request', examples: ['3f9a1c0e7b2d.4f'] }),
    ageMs: z.int().meta({ description: 'Milliseconds since it was acquired', examples: [12] }),
    ttlMs: z.int().meta({ description: 'Milliseconds until it expires unless it is renewed', examples: [9_988] }),
    waiters: z.int().meta({
      description: 'Other instances that wait, and requests that wait inside the instance that answers',
      examples: [0],
    }),
  })
  .meta({ id: 'HeldLock' });

export const heldLocksSchema = z.object({ items: z.array(heldLockSchema) }).meta({ id: 'HeldLocks' });

export type HeldLocks = z.infer<typeof heldLocksSchema>;
