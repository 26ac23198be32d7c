import { z } from 'zod';

const WEEK_MS = 7 * 86_400_000;
const MONTH_MS = 30 * 86_400_000;
const MAX_SCRIPTED = 1_000;

/** The calls that a script can meet. */
const OPERATIONS = ['charge', 'capture', 'void', 'refund', 'lookup'] as const;
export type ScriptedOperation = (typeof OPERATIONS)[number];

/**
 * `error` and `timeout` have no effect, `…-after` have one, and the caller cannot tell which: a 500, or no answer at all.
 * `slow` answers after two seconds. `decline` is for charges.
 */
const effectSchema = z.enum(['error', 'error-after', 'timeout', 'timeout-after', 'slow', 'decline']);
export type ScriptedEffect = z.infer<typeof effectSchema>;

const scriptSchema = z
  .array(
    z
      .strictObject({ operation: z.enum(OPERATIONS), effect: effectSchema })
      .refine(
        ({ operation, effect }) => effect !== 'decline' || operation === 'charge',
        'only a charge can be declined',
      )
      .meta({ id: 'ScriptedFault' }),
  )
  .max(MAX_SCRIPTED);

/**
 * The sandbox's misbehaviour on demand, in addition to that of its payment methods. Everything is off by default,
 * except the durations.
 */
export const sandboxFaultsSchema = z.strictObject({
  /** Announce synchronous outcomes too, as Stripe does; otherwise only asynchronous ones are. */
  everyCallback: z.boolean().default(false),
  /** How many extra times a callback is sent, with the same event id. */
  duplicateCallbacks: z.int().min(0).max(100).default(0),
  callbackDelayMs: z.int().min(0).max(600_000).default(0),
  /** Reverses the order: callbacks of charges wait, and those of refunds overtake them. */
  reorder: z.boolean().default(false),
  /** The callback of a charge is delivered before the charging call is answered. Implies everyCallback. */
  earlyCallbacks: z.boolean().default(false),
  chargeLatencyMs: z.int().min(0).max(60_000).default(0),
  /**
   * The share of calls that answer with a 500: half of them before, half of them after they took effect. 1 is an outage:
   * every attempt fails, and none takes effect.
   */
  chargeErrorRate: z.number().min(0).max(1).default(0),
  refundErrorRate: z.number().min(0).max(1).default(0),
  /** Of captures and voids. */
  captureErrorRate: z.number().min(0).max(1).default(0),
  /** How long an idempotency key is remembered, because real providers forget keys after a day or so; 0: for ever. */
  keyMemoryMs: z.int().min(0).max(MONTH_MS).default(0),
  /** How long a charge of `pm_sandbox_processing` is processed before it is captured. */
  processingMs: z.int().min(0).max(MONTH_MS).default(3_000),
  /** How long an authorisation lasts. */
  authorizationMs: z.int().min(1).max(MONTH_MS).default(WEEK_MS),
  /** What the next calls meet, each once, in this order per operation. Consumed by whichever instance calls. */
  next: scriptSchema
    .meta({ description: 'What the next calls of an operation meet, each once and in this order' })
    .default([]),
  /** How long after it settled a refund of `pm_sandbox_refund_fails_late` fails. */
  lateFailureMs: z.int().min(0).max(MONTH_MS).default(3_000),
});

export type SandboxFaults = z.infer<typeof sandboxFaultsSchema>;

export const NO_FAULTS: SandboxFaults = sandboxFaultsSchema.parse({});

export function areChargesPlain(faults: SandboxFaults): boolean {
  const { chargeLatencyMs, chargeErrorRate, everyCallback, earlyCallbacks, keyMemoryMs, next } = faults;
  const isSilent = !everyCallback && !earlyCallbacks && next.length === 0;
  return chargeLatencyMs === 0 && chargeErrorRate === 0 && keyMemoryMs === 0 && isSilent;
}
