import { z } from 'zod';

const MONTH_MS = 30 * 86_400_000;

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
  /** The share of calls that answer 500, half of them before and half of them after they took effect. */
  chargeErrorRate: z.number().min(0).max(1).default(0),
  refundErrorRate: z.number().min(0).max(1).default(0),
  /** How long an idempotency key is remembered, because real providers forget keys after a day or so; 0: for ever. */
  keyMemoryMs: z.int().min(0).max(MONTH_MS).default(0),
  /** How long a charge of `pm_sandbox_processing` is processed before it is captured. */
  processingMs: z.int().min(0).max(MONTH_MS).default(3_000),
  /** How long after it settled a refund of `pm_sandbox_refund_fails_late` fails. */
  lateFailureMs: z.int().min(0).max(MONTH_MS).default(3_000),
});

export type SandboxFaults = z.infer<typeof sandboxFaultsSchema>;

export const NO_FAULTS: SandboxFaults = sandboxFaultsSchema.parse({});

export function areChargesPlain(faults: SandboxFaults): boolean {
  const { chargeLatencyMs, chargeErrorRate, everyCallback, earlyCallbacks, keyMemoryMs } = faults;
  return chargeLatencyMs === 0 && chargeErrorRate === 0 && !everyCallback && !earlyCallbacks && keyMemoryMs === 0;
}
