import type { Body, Client } from '@checkout-saga/client';

type Settings = Body<'putSandboxFaults'>;
export type FaultScript = NonNullable<Settings['next']>[number];

/** What the payment provider does wrong, on demand. All of it is deterministic. */
export interface Faults {
  /** The next calls meet these, each once, in this order per operation. In place of what was set before. */
  next(...script: FaultScript[]): Promise<void>;
  /** Every charge fails, without effect, until `clear()`. */
  outage(): Promise<void>;
  /** Anything else that the sandbox can do, see PUT /v1/sandbox/faults. */
  set(faults: Settings): Promise<void>;
  /** What of the script was not met yet. */
  left(): Promise<FaultScript[]>;
  clear(): Promise<void>;
}

export function faultsOf(admin: Client): Faults {
  const set = async (faults: Settings): Promise<void> => {
    await admin.putSandboxFaults(faults);
  };
  return {
    next: (...script) => set({ next: script }),
    outage: () => set({ chargeErrorRate: 1 }),
    set,
    left: async () => (await admin.getSandboxFaults()).next,
    clear: () => set({}),
  };
}
