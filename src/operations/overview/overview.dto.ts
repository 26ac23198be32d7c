import { z } from 'zod';
import type { DeepReadonly } from '../../common/deep-readonly.js';
import { timeSchema } from '../../platform/http/fields.js';
import { INSTANCE_STATES } from '../../platform/postgres/instance.entity.js';

const rateSchema = z
  .record(z.string(), z.number())
  .meta({ description: 'Checkouts per second by what they came to', examples: [{ confirmed: 12.4, declined: 0.6 }] });
const quantileSchema = z.number().nullable().meta({ description: 'In milliseconds; null if nothing was counted' });
const breakerSchema = z.enum(['closed', 'returning', 'open']);
const backlogSchema = z.object({ waiting: z.int(), oldestSeconds: z.number() });

export const overviewSchema = z
  .object({
    at: timeSchema,
    isSandbox: z.boolean().meta({ description: 'No money moves, and faults can be switched on; never in production' }),
    rates: z.object({ seconds: z.number(), perSecond: rateSchema, total: z.number() }),
    latency: z.object({ p50Ms: quantileSchema, p95Ms: quantileSchema, p99Ms: quantileSchema }),
    series: z
      .array(
        z.object({ at: timeSchema, perSecond: rateSchema, p50Ms: quantileSchema, p99Ms: quantileSchema }).meta({
          id: 'OverviewPoint',
        }),
      )
      .meta({ description: 'The last ten minutes, of all instances, the oldest first' }),
    sagas: z.object({
      RUNNING: z.int(),
      WAITING: z.int(),
      COMPENSATING: z.int(),
      STUCK: z.int(),
      overdue: z.int().meta({ description: 'That nobody has driven for a minute past their lease or deadline' }),
    }),
    inDoubt: z.object({ count: z.int(), oldestAt: timeSchema.nullable() }),
    stock: z.object({
      heldUnits: z.int(),
      heldSkus: z.int(),
      soldOutSkus: z.int(),
    }),
    locks: z.object({
      driver: z.string().meta({ examples: ['postgres'] }),
      breaker: breakerSchema.meta({ description: 'The worst of all instances' }),
      held: z.int(),
      waiters: z.int(),
      waitP99Ms: quantileSchema,
      timeouts: z.int().meta({ description: 'In the same time as the rates' }),
    }),
    queues: z.object({
      callbacks: backlogSchema,
      events: backlogSchema,
      deliveries: backlogSchema.extend({ dead: z.int() }),
    }),
    instances: z.array(
      z
        .object({
          id: z.string(),
          host: z.string(),
          pid: z.int(),
          release: z.string(),
          state: z.enum(INSTANCE_STATES),
          isSilent: z
            .boolean()
            .meta({ description: 'It has not written its heartbeat for long: its sagas are taken over' }),
          startedAt: timeSchema,
          seenAt: timeSchema,
          sagas: z.int().meta({ description: 'That it drives under a lease' }),
          locks: z.int().meta({ description: 'That it holds' }),
          perSecond: z.number(),
          breaker: breakerSchema.nullable(),
        })
        .meta({ id: 'InstanceView' }),
    ),
    bulkRuns: z.int().meta({ description: 'That run now' }),
  })
  .meta({ id: 'Overview', description: 'The service as it is now, over all instances' });
export type Overview = DeepReadonly<z.infer<typeof overviewSchema>>;

export const hotSkusSchema = z
  .object({
    seconds: z.number().meta({ description: 'How far back the orders go that were looked at, at most 2,000' }),
    items: z.array(
      z
        .object({
          sku: z.string(),
          name: z.string(),
          available: z.int(),
          held: z.int(),
          orders: z.int().meta({ description: 'That wanted it' }),
          soldUnits: z.int(),
          soldPerMinute: z.number(),
          refused: z.int().meta({ description: 'Orders that did not get it: declined, sold out, given up' }),
          lockWaitP99Ms: quantileSchema,
          sellsOutInSeconds: z
            .number()
            .nullable()
            .meta({ description: 'At this pace; 0 if it is sold out, null if none was sold' }),
        })
        .meta({ id: 'HotSku' }),
    ),
  })
  .meta({ id: 'HotSkus' });
export type HotSkus = DeepReadonly<z.infer<typeof hotSkusSchema>>;
