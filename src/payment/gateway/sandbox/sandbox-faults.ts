import { z } from 'zod';

/** What the sandbox does wrong on demand, beyond what its payment methods do. All off by default. */
export const sandboxFaultsSchema = z.strictObject({
  /** Announce synchronous outcomes too, as Stripe does; otherwise only asynchronous ones are. */
  everyCallback: z.boolean().default(false),
  /** How many times more than once a callback is sent, with the same event id. */
  duplicateCallbacks: z.int().min(0).max(100).default(0),
  callbackDelayMs: z.int().min(0).max(600_000).default(0),
  /** What happened first is announced last: callbacks of charges wait, those of refunds overtake them. */
  reorder: z.boolean().default(false),
  /** The callback of a charge is delivered before the call that charged has its answer. Implies everyCallback. */
  earlyCallbacks: z.boolean().default(false),
  chargeLatencyMs: z.int().min(0).max(60_000).default(0),
  /** The share of calls that answer with a 500: half of them before, half of them after they took effect. */
  chargeErrorRate: z.number().min(0).max(1).default(0),
  refundErrorRate: z.number().min(0).max(1).default(0),
});

export type SandboxFaults = z.infer<typeof sandboxFaultsSchema>;

export const NO_FAULTS: SandboxFaults = sandboxFaultsSchema.parse({});

export function areChargesPlain(faults: SandboxFaults): boolean {
  return (
    faults.chargeLatencyMs === 0 && faults.chargeErrorRate === 0 && !faults.everyCallback && !faults.earlyCallbacks
  );
}
